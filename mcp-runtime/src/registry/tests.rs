use super::{CommonDescriptor, Policy, Registry, ToolDescriptor};
use crate::context::State;
use crate::error::Location;
use crate::handler::PreparedCall;
use crate::protocol::ToolAnnotations;

const fn twice(line: u32) -> ToolDescriptor {
    ToolDescriptor {
        definition: CommonDescriptor {
            name: "twice",
            description: "Is there twice.",
            location: Location {
                file: "src/tools.rs",
                line,
            },
            ..CommonDescriptor::EMPTY
        },
        annotations: ToolAnnotations {
            read_only_hint: None,
            destructive_hint: None,
            idempotent_hint: None,
            open_world_hint: None,
        },
        policy: Policy::DEFAULT,
        input_schema: None,
        ui: None,
        output_schema: || None,
        prepare: |_| Ok(PreparedCall::inline(|| Ok(Default::default()))),
    }
}

inventory::submit! { twice(20) }
inventory::submit! { twice(3) }

#[test]
fn two_tools_of_one_name_are_rejected_with_both_locations() {
    let error = Registry::default().add_static(&State::default(), None);
    let error = error.unwrap_err().to_string();
    let expected = "two tools are named `twice`: src/tools.rs:3 and src/tools.rs:20; \
                    rename one";
    assert_eq!(error, expected);
}
