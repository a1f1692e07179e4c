//! Parses XML strictly.

use std::collections::BTreeMap;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
}

/// A document: its elements in the order of their start tags, and all its text.
#[derive(Default)]
pub(crate) struct XmlDocument {
    pub(crate) elements: Vec<Element>,
    pub(crate) text: String,
}

impl XmlDocument {
    pub(crate) fn read(document: &str) -> Self {
        let is_allowed =
            |character| matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
        assert!(document.chars().all(is_allowed));
        let mut reader = Reader::from_str(document);
        reader.config_mut().enable_all_checks(true);
        let mut xml = Self::default();
        let mut depth = 0;
        loop {
            match reader.read_event().expect("XML") {
                Event::Start(start) => {
                    depth += 1;
                    xml.element(&start);
                }
                Event::Empty(empty) => xml.element(&empty),
                Event::End(_) => depth -= 1,
                Event::Text(text) => xml.text += &text,
                Event::GeneralRef(name) => xml.text.push(character(&name)),
                Event::Decl(_) => assert!(xml.elements.is_empty()),
                Event::Eof => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(depth, 0);
        xml
    }

    fn element(&mut self, start: &BytesStart<'_>) {
        let attributes = start.attributes().map(|attribute| {
            let attribute = attribute.expect("an attribute, once");
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            (attribute.key.as_ref().to_owned(), value.expect("a value").into_owned())
        });
        self.elements.push(Element {
            name: start.name().as_ref().to_owned(),
            attributes: attributes.collect(),
        });
    }
}

fn character(name: &str) -> char {
    match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        other => panic!("&{other};"),
    }
}
