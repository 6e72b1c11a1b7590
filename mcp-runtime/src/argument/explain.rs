use super::{Fill, Parameter, Refusal};
use serde_json::Value;
#[derive(Debug)]
pub(crate) struct Coercion;
impl std::fmt::Display for Coercion {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}
pub(crate) struct Repaired {
    pub(crate) arguments: Value,
    pub(crate) coercions: Vec<Coercion>,
}
pub(crate) fn repaired(
    _tool: &str,
    _schema: &Value,
    json: Option<&str>,
) -> Result<Repaired, Refusal> {
    Ok(Repaired {
        arguments: json
            .and_then(|j| serde_json::from_str(j).ok())
            .unwrap_or_default(),
        coercions: vec![],
    })
}
pub(crate) fn read_explained(
    _tool: &str,
    text: &str,
    parameters: &[Parameter],
    slots: &mut [&mut dyn Fill],
) -> Result<(), Refusal> {
    super::read(text, parameters, slots).map_err(|_| Refusal::Arguments("bad".into()))
}
