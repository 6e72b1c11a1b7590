//! A host of skills (extension `io.modelcontextprotocol/skills`).
//!
//! It reads a file when its skill is loaded and not before, and uses nothing that
//! is not what was listed.

use std::error::Error;

use mcp_runtime::Client;
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The skills that there are, of which nothing is read yet.
pub(crate) async fn list(client: &Client) -> Outcome<Vec<Value>> {
    let listed = client.request("skills/list", json!({})).await?;
    let skills = listed["skills"].as_array();
    Ok(skills.ok_or("the server lists no skills")?.clone())
}

/// Loads a skill: its own text first, and what belongs to it after that.
async fn load(client: &Client, skill: &Value) -> Outcome<Vec<String>> {
    let files = skill["resources"].as_array();
    let files = files.ok_or("the skill lists no files")?;
    let (own, others): (Vec<_>, Vec<_>) = files.iter().partition(|it| it["uri"] == skill["uri"]);
    let mut texts = Vec::new();
    for file in own.into_iter().chain(others) {
        let text = read(client, file).await?;
        if file["uri"] == skill["uri"] && frontmatter(&text)? != skill["frontmatter"] {
            return Err("the skill says of itself what the list does not".into());
        }
        texts.push(text);
    }
    Ok(texts)
}

/// Loads every skill, of which none may be as it is listed.
pub(crate) async fn load_none(client: &Client) -> Outcome<()> {
    for skill in list(client).await? {
        let loaded = load(client, &skill).await;
        let refused = loaded
            .err()
            .ok_or("a skill was loaded that is not as listed")?;
        println!("not loaded: {refused}");
    }
    Ok(())
}

async fn read(client: &Client, file: &Value) -> Outcome<String> {
    let params = json!({ "uri": file["uri"] });
    let read = client.request("resources/read", params).await?;
    let text = read["contents"][0]["text"].as_str();
    let text = text.ok_or("the file has no text")?;
    if file["size"] != text.len() {
        return Err("the file has another size than the list says".into());
    }
    let hash = data_encoding::HEXLOWER.encode(digest(&SHA256, text.as_bytes()).as_ref());
    if file["digest"] != format!("sha256:{hash}") {
        return Err("the file is another than the list says".into());
    }
    Ok(text.to_owned())
}

/// The head of a skill. Only lines of `name: text` are read: whatever else YAML
/// has differs from every list, and is refused.
fn frontmatter(skill: &str) -> Outcome<Value> {
    let rest = skill.strip_prefix("---\n").ok_or("the skill has no head")?;
    let (head, _) = rest.split_once("\n---\n").ok_or("its head has no end")?;
    let line = |line: &str| {
        let (name, text) = line.split_once(": ")?;
        Some((name.to_owned(), Value::from(text)))
    };
    let members: Option<Map<String, Value>> = head.lines().map(line).collect();
    Ok(members.ok_or("its head has other lines")?.into())
}
