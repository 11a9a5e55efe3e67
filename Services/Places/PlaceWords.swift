import ServiceKit

/// The texts of places.
let placeWords = Catalogue([
    .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
])
