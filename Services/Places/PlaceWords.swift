import ServiceKit

/// What places says to people.
let placeWords = Catalogue([
    .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
])
