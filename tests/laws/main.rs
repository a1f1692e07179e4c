//! Laws that hold for generated input, and for what the fuzz targets kept.

#[path = "../common/mod.rs"]
mod common;
mod forms;
#[path = "../generated/mod.rs"]
mod generated;
#[path = "mod.rs"]
mod laws;
mod properties;

use common::xml;
