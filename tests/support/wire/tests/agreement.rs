//! Compares the tables with the official schemas, if they are available.

use std::collections::BTreeSet;

use serde_json::Value;

use super::message_parts::all_tables;
use crate::wire::{
    Revision, official,
    table::{
        Object, Presence,
        method::{METHODS, Method, Sender},
    },
};

/// Methods of the tasks extension, which has a separate schema.
const EXTENSION: [&str; 4] = [
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
    "notifications/tasks",
];

#[test]
fn method_table_matches_the_official_map() {
    for revision in Revision::ALL {
        let Some(map) = official::map(revision) else {
            return;
        };
        let listed = |section: &str| keys(&map[section]);
        let table = |sender, calls: bool| -> BTreeSet<String> {
            METHODS
                .iter()
                .filter(|row| {
                    row.is_sent(sender, revision)
                        || sender == Sender::Server && row.is_embedded(revision)
                })
                .filter(|row| row.results.is_empty() != calls)
                .filter(|row| revision.is_legacy() || !EXTENSION.contains(&row.name))
                .map(|row| row.name.to_owned())
                .collect()
        };
        assert_eq!(
            table(Sender::Client, true),
            listed("requests"),
            "{revision}"
        );
        // The map lists methods of both sides only for the client.
        let both = table(Sender::Client, true);
        let asked: BTreeSet<_> = table(Sender::Server, true)
            .difference(&both)
            .cloned()
            .collect();
        assert_eq!(asked, listed("serverToClient"), "{revision}");
        let told = &table(Sender::Client, false) | &table(Sender::Server, false);
        assert_eq!(told, listed("notifications"), "{revision}");
    }
}

#[test]
fn every_official_result_belongs_to_its_method() {
    for revision in Revision::ALL {
        let Some(map) = official::map(revision) else {
            return;
        };
        for (section, sender) in [
            ("requests", Sender::Client),
            ("serverToClient", Sender::Server),
        ] {
            for (name, entry) in map[section].as_object().unwrap() {
                let row = Method::find(name, sender, revision).unwrap();
                for result in entry["results"].as_array().unwrap() {
                    let mut arms = row.results.iter().filter(|arm| arm.exists(revision));
                    let found =
                        arms.any(|arm| format!("{:?}", arm.shape).contains(&result.to_string()));
                    assert!(found, "{revision} {name} {result}");
                }
            }
        }
    }
}

#[test]
fn tables_and_official_schemas_declare_the_same_members() {
    let mut differences = Vec::new();
    for revision in Revision::ALL {
        for table in all_tables().values() {
            if table.rows().any(|row| row.exists(revision)) {
                compare(table, revision, &mut differences);
            }
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

/// Intended differences between the tables and the schemas.
fn is_intended(definition: &str, name: &str, revision: Revision) -> bool {
    let legacy = revision.is_legacy();
    match (definition, name) {
        // The structure is that of the request that ran as a task.
        ("GetTaskPayloadResult", _) => true,
        // The Apps extension uses `extensions` in every revision.
        (_, "extensions") => legacy,
        // Every result has the server info, and every message of a listen stream has
        // the id of the stream.
        (_, "_meta") => !legacy,
        (_, "io.modelcontextprotocol/serverInfo") => !legacy,
        (_, "io.modelcontextprotocol/subscriptionId") => !legacy,
        // From the tasks extension.
        ("SubscriptionFilter", "taskIds") => true,
        // The schemas do not restrict these.
        ("ResourceContents", "text" | "blob") => true,
        _ => false,
    }
}

fn compare(table: &Object, revision: Revision, differences: &mut Vec<String>) {
    let Some(definition) = official::definition(revision, table.name) else {
        return;
    };
    let Some(properties) = definition.get("properties") else {
        return;
    };
    let required = &definition["required"];
    let names: BTreeSet<_> = &keys(properties)
        | &table
            .rows()
            .filter(|row| row.exists(revision))
            .map(|row| row.name.to_owned())
            .collect();
    for name in names
        .iter()
        .filter(|name| !is_intended(table.name, name, revision))
    {
        let official = match properties.get(name) {
            None => Presence::Forbidden,
            Some(_)
                if required
                    .as_array()
                    .is_some_and(|it| it.iter().any(|it| it == name)) =>
            {
                Presence::Required
            }
            Some(_) => Presence::Optional,
        };
        let ours = table
            .rows()
            .filter(|row| row.name == name && row.exists(revision))
            .map(|row| row.presence(revision))
            .next()
            .unwrap_or(Presence::Forbidden);
        if ours != official {
            differences.push(format!(
                "{revision} {}.{name}: {ours:?}, officially {official:?}",
                table.name
            ));
        }
    }
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}
