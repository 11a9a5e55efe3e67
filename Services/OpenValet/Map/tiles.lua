-- tilemaker's script: OpenMapTiles' layers, by the script that comes with it, with names in the languages of the web
-- apps in addition to local names.
dofile(os.getenv("OPENVALET_TILE_SCRIPT"))
additional_languages = { "en", "zh", "zh-Hant" }
