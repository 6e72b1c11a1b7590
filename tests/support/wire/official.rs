//! The official JSON Schemas in `MCP_SCHEMA_DIR`.

use std::{
    collections::HashMap,
    env, fs,
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::wire::{Problem, Revision, Rule};

/// The part of `map.json` that names the definition of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Section {
    Requests,
    ServerToClient,
    Notifications,
}

/// Checks the envelope: of a `request`, `notification`, `result` or `error`.
///
/// Every message has one, so this also reports unreadable schemas.
pub(crate) fn envelope_problems(revision: Revision, kind: &str, message: &Value) -> Vec<Problem> {
    match schemas() {
        Schemas::Absent => Vec::new(),
        Schemas::Broken(fault) => vec![problem(revision, String::new(), fault.clone())],
        Schemas::Loaded(files) => {
            let name = files.map.pointer(&format!("/{revision}/envelope/{kind}"));
            files.problems(
                revision,
                name.and_then(Value::as_str).unwrap_or(kind),
                message,
            )
        }
    }
}

/// Checks a whole request or notification, if `map.json` names its method.
pub(crate) fn call_problems(
    revision: Revision,
    section: Section,
    method: &str,
    message: &Value,
) -> Vec<Problem> {
    let (section, key) = match section {
        Section::Requests => ("requests", "request"),
        Section::ServerToClient => ("serverToClient", "request"),
        Section::Notifications => ("notifications", "notification"),
    };
    let Some(files) = files() else {
        return Vec::new();
    };
    let entry = files.map[revision.as_str()][section].get(method);
    match entry
        .and_then(|entry| entry.get(key))
        .and_then(Value::as_str)
    {
        Some(name) => files.problems(revision, name, message),
        None => Vec::new(),
    }
}

/// Checks a result, if `map.json` lists its definition for the method.
pub(crate) fn result_problems(
    revision: Revision,
    method: &str,
    definition: &str,
    result: &Value,
) -> Vec<Problem> {
    let Some(files) = files() else {
        return Vec::new();
    };
    let map = &files.map[revision.as_str()];
    let listed = ["requests", "serverToClient"].iter().any(|section| {
        let results = map[section]
            .get(method)
            .and_then(|it| it["results"].as_array());
        results.is_some_and(|results| results.iter().any(|it| it == definition))
    });
    match listed {
        true => files.problems(revision, definition, result),
        false => Vec::new(),
    }
}

/// Checks an error response, if `map.json` lists its definition.
///
/// Some definitions describe the whole message, some its member `error`.
pub(crate) fn error_problems(
    revision: Revision,
    definition: &str,
    message: &Value,
) -> Vec<Problem> {
    let Some(files) = files() else {
        return Vec::new();
    };
    let errors = files.map[revision.as_str()]["errors"].as_array();
    if !errors.is_some_and(|errors| errors.iter().any(|it| it == definition)) {
        return Vec::new();
    }
    let properties = files
        .definitions(revision)
        .map(|it| &it[definition]["properties"]);
    if properties.is_some_and(|properties| properties.get("error").is_some()) {
        return files.problems(revision, definition, message);
    }
    let mut problems = files.problems(revision, definition, &message["error"]);
    for problem in &mut problems {
        problem.pointer.insert_str(0, "/error");
    }
    problems
}

/// The entry of the revision in `map.json`, if it is loaded.
#[cfg(test)]
pub(crate) fn map(revision: Revision) -> Option<&'static Value> {
    files()?.map.get(revision.as_str())
}

/// A definition of the official schema.
#[cfg(test)]
pub(crate) fn definition(revision: Revision, name: &str) -> Option<&'static Value> {
    files()?.definitions(revision)?.get(name)
}

fn files() -> Option<&'static SchemaFiles> {
    match schemas() {
        Schemas::Loaded(files) => Some(files),
        _ => None,
    }
}

enum Schemas {
    Absent,
    Broken(String),
    Loaded(SchemaFiles),
}

struct SchemaFiles {
    map: Value,
    documents: HashMap<Revision, Value>,
    validators: Mutex<HashMap<(Revision, String), Arc<Validator>>>,
}

fn schemas() -> &'static Schemas {
    static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| match env::var_os("MCP_SCHEMA_DIR") {
        // Tests run in the directory of their package, so a relative path is resolved
        // against the workspace instead.
        Some(directory) => match SchemaFiles::load(&workspace().join(directory)) {
            Ok(files) => Schemas::Loaded(files),
            Err(fault) => Schemas::Broken(fault),
        },
        None => {
            let notice = "MCP_SCHEMA_DIR is not set: messages are checked against the tables only";
            // Unlike `eprintln!`, this is shown for passing tests too. Write errors
            // are ignored.
            let _ = writeln!(io::stderr(), "{notice}");
            Schemas::Absent
        }
    })
}

impl SchemaFiles {
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

    /// Validates a value against a definition.
    fn problems(&self, revision: Revision, definition: &str, value: &Value) -> Vec<Problem> {
        let validator = match self.validator(revision, definition) {
            Ok(validator) => validator,
            Err(fault) => return vec![problem(revision, String::new(), fault)],
        };
        let problem = |error: jsonschema::ValidationError<'_>| {
            let text = shorten(&format!("{definition}: {error}"));
            problem(revision, error.instance_path().to_string(), text)
        };
        validator.iter_errors(value).map(problem).collect()
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

fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
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
    const MAX_CHARS: usize = 300;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
