//! The official JSON Schemas, where `MCP_SCHEMA_DIR` names them.

use std::{
    collections::HashMap,
    env, fs,
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::{Problem, Revision, Rule};

/// Which part of `map.json` names the definition of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Section {
    Requests,
    ServerToClient,
    Notifications,
}

/// What the definition of this name says about the value.
pub(crate) fn problems(revision: Revision, definition: &str, value: &Value) -> Vec<Problem> {
    match schemas() {
        Schemas::Absent => Vec::new(),
        Schemas::Broken(fault) => vec![problem(revision, String::new(), fault.clone())],
        Schemas::Loaded(files) => match files.validator(revision, definition) {
            Ok(validator) => validator
                .iter_errors(value)
                .map(|error| {
                    let text = format!("{definition}: {error}");
                    problem(revision, error.instance_path().to_string(), shorten(&text))
                })
                .collect(),
            Err(fault) => vec![problem(revision, String::new(), fault)],
        },
    }
}

/// What `map.json` says about the revision, where it is there.
pub(crate) fn map(revision: Revision) -> Option<&'static Value> {
    match schemas() {
        Schemas::Loaded(files) => files.map.get(revision.as_str()),
        _ => None,
    }
}

/// A definition as it is written.
#[cfg(test)]
pub(crate) fn definition(revision: Revision, name: &str) -> Option<&'static Value> {
    match schemas() {
        Schemas::Loaded(files) => files.definitions(revision)?.get(name),
        _ => None,
    }
}

/// The definition of a whole request or notification.
pub(crate) fn message_definition(
    revision: Revision,
    section: Section,
    method: &str,
) -> Option<&'static str> {
    let (section, key) = match section {
        Section::Requests => ("requests", "request"),
        Section::ServerToClient => ("serverToClient", "request"),
        Section::Notifications => ("notifications", "notification"),
    };
    map(revision)?.get(section)?.get(method)?.get(key)?.as_str()
}

/// Whether the revision lists the definition as a result of the method.
pub(crate) fn has_result(revision: Revision, method: &str, definition: &str) -> bool {
    ["requests", "serverToClient"].iter().any(|section| {
        map(revision)
            .and_then(|map| map.get(section)?.get(method)?.get("results")?.as_array())
            .is_some_and(|results| results.iter().any(|it| it == definition))
    })
}

/// The definition of an envelope: `request`, `notification`, `result`, `error`.
pub(crate) fn envelope(revision: Revision, kind: &str) -> Option<&'static str> {
    map(revision)?.get("envelope")?.get(kind)?.as_str()
}

/// Whether the revision defines the error, and if as a whole message.
pub(crate) fn error_is_message(revision: Revision, definition: &str) -> Option<bool> {
    let listed = map(revision)?.get("errors")?.as_array()?;
    let Schemas::Loaded(files) = schemas() else {
        return None;
    };
    listed.iter().find(|it| *it == definition)?;
    let properties = files
        .definitions(revision)?
        .get(definition)?
        .get("properties")?;
    Some(properties.get("error").is_some())
}

enum Schemas {
    Absent,
    Broken(String),
    Loaded(Files),
}

struct Files {
    map: Value,
    documents: HashMap<Revision, Value>,
    validators: Mutex<HashMap<(Revision, String), Arc<Validator>>>,
}

fn schemas() -> &'static Schemas {
    static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| match env::var_os("MCP_SCHEMA_DIR") {
        Some(directory) => match Files::load(Path::new(&directory)) {
            Ok(files) => Schemas::Loaded(files),
            Err(fault) => Schemas::Broken(fault),
        },
        None => {
            let notice = "MCP_SCHEMA_DIR is not set: messages are held against the tables only";
            // Unlike `eprintln!`, this is seen although the test passes; where
            // it cannot be written there is nobody to tell.
            let _ = writeln!(io::stderr(), "{notice}");
            Schemas::Absent
        }
    })
}

impl Files {
    fn load(directory: &Path) -> Result<Self, String> {
        let mut documents = HashMap::new();
        for revision in Revision::ALL {
            documents.insert(revision, read(directory, revision.as_str())?);
        }
        Ok(Self {
            map: read(directory, "map")?,
            documents,
            validators: Mutex::default(),
        })
    }

    fn root(&self, revision: Revision) -> Option<&str> {
        self.map.get(revision.as_str())?.get("root")?.as_str()
    }

    fn definitions(&self, revision: Revision) -> Option<&Value> {
        self.documents.get(&revision)?.get(self.root(revision)?)
    }

    fn validator(&self, revision: Revision, definition: &str) -> Result<Arc<Validator>, String> {
        let mut validators = self
            .validators
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let key = (revision, definition.to_owned());
        if let Some(validator) = validators.get(&key) {
            return Ok(Arc::clone(validator));
        }
        let validator = Arc::new(self.compile(revision, definition)?);
        validators.insert(key, Arc::clone(&validator));
        Ok(validator)
    }

    fn compile(&self, revision: Revision, definition: &str) -> Result<Validator, String> {
        let root = self.root(revision).ok_or("map.json names no root")?;
        let definitions = self
            .definitions(revision)
            .ok_or("the schema has no definitions")?;
        let document = self.documents.get(&revision);
        let dialect = document.and_then(|document| document.get("$schema"));
        let mut schema = Map::new();
        schema.insert("$schema".to_owned(), dialect.cloned().unwrap_or_default());
        schema.insert(root.to_owned(), definitions.clone());
        let reference = json!([{ "$ref": format!("#/{root}/{definition}") }]);
        schema.insert("allOf".to_owned(), reference);
        jsonschema::options()
            .should_validate_formats(true)
            .build(&Value::Object(schema))
            .map_err(|error| format!("{definition} cannot be compiled: {error}"))
    }
}

fn read(directory: &Path, name: &str) -> Result<Value, String> {
    let path = directory.join(format!("{name}.json"));
    let fault =
        |error: &dyn std::fmt::Display| format!("{} in MCP_SCHEMA_DIR: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| fault(&error))?;
    serde_json::from_str(&text).map_err(|error| fault(&error))
}

fn problem(revision: Revision, pointer: String, message: String) -> Problem {
    Problem {
        pointer,
        rule: Rule::Official,
        revision,
        message,
    }
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 300;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
