//! Laws that hold for generated input, and for what the fuzz targets kept.

mod forms;
mod properties;
