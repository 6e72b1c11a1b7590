//! A skills host (extension `io.modelcontextprotocol/skills`).
//!
//! It reads a file only when its skill is loaded, and rejects everything that does
//! not match the list.

use std::error::Error;

use mcp_runtime::Client;
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Lists skills without reading them.
pub(crate) async fn list(client: &Client) -> Outcome<Vec<Value>> {
    let listed = client.request("skills/list", json!({})).await?;
    let skills = listed["skills"].as_array();
    Ok(skills.ok_or("the server lists no skills")?.clone())
}

/// Loads the text of a skill, then its other resources.
async fn load(client: &Client, skill: &Value) -> Outcome<Vec<String>> {
    let files = skill["resources"].as_array();
    let files = files.ok_or("the skill lists no files")?;
    let (own, others): (Vec<_>, Vec<_>) = files.iter().partition(|it| it["uri"] == skill["uri"]);
    let mut texts = Vec::new();
    for file in own.into_iter().chain(others) {
        let text = read(client, file).await?;
        if file["uri"] == skill["uri"] && frontmatter(&text)? != skill["frontmatter"] {
            return Err("the frontmatter of the skill differs from the list".into());
        }
        texts.push(text);
    }
    Ok(texts)
}

/// Loads every skill, none of which may match its listing.
pub(crate) async fn load_none(client: &Client) -> Outcome<()> {
    for skill in list(client).await? {
        let loaded = load(client, &skill).await;
        let rejected = loaded
            .err()
            .ok_or("a skill was loaded that is not as listed")?;
        println!("not loaded: {rejected}");
    }
    Ok(())
}

async fn read(client: &Client, file: &Value) -> Outcome<String> {
    let params = json!({ "uri": file["uri"] });
    let read = client.request("resources/read", params).await?;
    let text = read["contents"][0]["text"].as_str();
    let text = text.ok_or("the file has no text")?;
    if file["size"] != text.len() {
        return Err("the size of the file differs from the list".into());
    }
    let hash = data_encoding::HEXLOWER.encode(digest(&SHA256, text.as_bytes()).as_ref());
    if file["digest"] != format!("sha256:{hash}") {
        return Err("the digest of the file differs from the list".into());
    }
    Ok(text.to_owned())
}

/// The frontmatter of a skill. Only lines `name: text` are supported; other YAML
/// syntax is rejected.
fn frontmatter(skill: &str) -> Outcome<Value> {
    let rest = skill
        .strip_prefix("---\n")
        .ok_or("the skill has no frontmatter")?;
    let (head, _) = rest
        .split_once("\n---\n")
        .ok_or("the frontmatter has no end")?;
    let line = |line: &str| {
        let (name, text) = line.split_once(": ")?;
        Some((name.to_owned(), Value::from(text)))
    };
    let members: Option<Map<String, Value>> = head.lines().map(line).collect();
    Ok(members
        .ok_or("the frontmatter has unsupported lines")?
        .into())
}
