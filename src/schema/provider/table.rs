//! Owns the form in which a provider's rules are written down.
//!
//! One table per provider says all that is known of it; the code beside it has no provider's name in it.

use crate::schema::inline::Recursion;
use crate::schema::wire_name::NameRule;

/// What a provider accepts.
#[derive(Debug)]
pub(crate) struct Table {
    /// The provider's name in sentences.
    pub(crate) name: &'static str,
    /// Which names tools may have.
    pub(crate) tool_names: NameRule,
    /// Which names the parameters of a tool may have; `None` for any.
    pub(crate) parameter_names: Option<NameRule>,
    /// How many characters a tool's description may have.
    pub(crate) description_limit: Option<usize>,
    /// How many tools one request may have.
    pub(crate) tool_limit: Option<usize>,
    /// Whether the schema of a tool's value is taken too.
    pub(crate) output_schemas: bool,
    /// The schemas that are accepted.
    pub(crate) language: Language,
    /// The schemas that are accepted as strict; `None` where there is no such thing.
    pub(crate) strict: Option<StrictRules>,
}

/// A subset of JSON Schema.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one fact from a provider's pages or refusals"
)]
pub(crate) struct Language {
    /// The keywords that may be used, sorted. Everything else is moved into the description or left out.
    pub(crate) keywords: &'static [&'static str],
    /// The keywords that may be used in the schema of all parameters.
    pub(crate) root: &'static [&'static str],
    /// The values of `format` that may be used; `None` for any.
    pub(crate) formats: Option<&'static [&'static str]>,
    /// What becomes of types that contain themselves.
    pub(crate) recursion: Recursion,
    /// Null is said with `nullable: true`, and `type` has one name.
    pub(crate) nullable: bool,
    /// Every schema needs `type` or `anyOf`.
    pub(crate) typed: bool,
    /// Beside `anyOf` nothing else may stand.
    pub(crate) lone_unions: bool,
    /// Beside `$ref` nothing else may stand.
    pub(crate) lone_references: bool,
    /// Only texts may be listed in `enum`.
    pub(crate) text_enums: bool,
    /// Every array needs `items`.
    pub(crate) items: bool,
    /// `required` may only name declared properties.
    pub(crate) declared_required: bool,
    /// `minItems` may only be 0 or 1.
    pub(crate) small_min_items: bool,
    /// `enum` may only list texts, numbers, booleans and null.
    pub(crate) scalar_enums: bool,
    /// `pattern` may not look around, refer back or ask for word boundaries.
    pub(crate) plain_patterns: bool,
}

impl Language {
    /// JSON Schema 2020-12 with no property but its own; tables override what is narrower.
    pub(crate) const JSON_SCHEMA: Self = Self {
        keywords: crate::schema::vocabulary::ALL,
        root: ROOT,
        formats: None,
        recursion: Recursion::Keep,
        nullable: false,
        typed: false,
        lone_unions: false,
        lone_references: false,
        text_enums: false,
        items: false,
        declared_required: false,
        small_min_items: false,
        scalar_enums: false,
        plain_patterns: false,
    };

    /// Whether a keyword may be used.
    pub(crate) fn allows(&self, keyword: &str) -> bool {
        self.keywords.binary_search(&keyword).is_ok()
    }

    /// Whether a type may refer to another one by name.
    pub(crate) fn keeps_references(&self) -> bool {
        self.recursion == Recursion::Keep && !self.lone_references
    }

    /// Whether a value of `format` may be used.
    pub(crate) fn allows_format(&self, format: &str) -> bool {
        self.formats.is_none_or(|formats| formats.contains(&format))
    }
}

/// The schema of all parameters is never a choice: every provider of models refuses combinators there, and with them the
/// whole request. Only what describes an object's properties is left.
pub(crate) const ROOT: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "title",
    "description",
    "$defs",
];

/// What a strict schema has to keep to, and how much of it one request may have.
#[derive(Debug)]
pub(crate) struct StrictRules {
    /// The schemas that are accepted.
    pub(crate) language: Language,
    /// Whether a type may contain itself.
    pub(crate) recursion: bool,
    /// Whether objects in one union may begin with the same property, if its values do not tell them apart.
    pub(crate) alike_unions: bool,
    /// Whether a default may stand beside a property that has to be given.
    pub(crate) defaults: bool,
    /// Bounds on one tool's schema.
    pub(crate) each: Bounds,
    /// Bounds on all strict tools of a request together.
    pub(crate) together: Bounds,
}

/// How much of something is accepted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Tools.
    pub(crate) tools: usize,
    /// Properties of objects.
    pub(crate) properties: usize,
    /// Objects inside one another.
    pub(crate) depth: usize,
    /// Values in `enum`.
    pub(crate) enum_values: usize,
    /// Characters of property names, definition names and values of `enum` and `const`.
    pub(crate) characters: usize,
    /// Parameters whose schema is a union: `anyOf`, or several names in `type`.
    pub(crate) unions: usize,
}

impl Bounds {
    /// No bound at all.
    pub(crate) const NONE: Self = Self {
        tools: usize::MAX,
        properties: usize::MAX,
        depth: usize::MAX,
        enum_values: usize::MAX,
        characters: usize::MAX,
        unions: usize::MAX,
    };
}
