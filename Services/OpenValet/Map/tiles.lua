-- What tilemaker makes of an extract: OpenMapTiles' layers, by the script that comes with it, and the names in the
-- languages of the web apps besides those that the signs have.
dofile(os.getenv("OPENVALET_TILE_SCRIPT"))
additional_languages = { "en", "zh", "zh-Hant" }
