//! Files of code, by their names.

/// File extensions of code.
const CODE: &[&str] = &[
    "c", "cc", "clj", "cpp", "cs", "cxx", "dart", "erl", "ex", "exs", "go", "h", "hpp", "hs",
    "java", "js", "jsx", "kt", "lua", "ml", "mjs", "php", "py", "rb", "rs", "scala", "sh", "sql",
    "svelte", "swift", "ts", "tsx", "vue", "zig",
];

pub(crate) fn is_code(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    CODE.contains(&ending)
}
