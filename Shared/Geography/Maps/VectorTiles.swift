import Foundation

/// Joins vector tiles of the same square (github.com/mapbox/vector-tile-spec 2.1): a tile may contain a layer only
/// once.
enum VectorTiles {
    /// Field numbers of a tile, a layer and a feature.
    private enum Field {
        static let layer: UInt64 = 3
        static let name: UInt64 = 1
        static let feature: UInt64 = 2
        static let key: UInt64 = 3
        static let value: UInt64 = 4
        static let tags: UInt64 = 2
    }

    /// A layer has the features of all layers with its name, in the order of the tiles. Nil for invalid tiles.
    static func joined(_ tiles: [Data]) -> Data? {
        var names: [Data] = []
        var layers: [Data: [[ProtobufField]]] = [:]
        for tile in tiles {
            guard let fields = ProtobufField.all(of: tile) else { return nil }
            for field in fields where field.number == Field.layer {
                guard let layer = ProtobufField.all(of: field.content),
                    let name = layer.first(where: { $0.number == Field.name })?.content
                else { return nil }
                if layers[name] == nil { names.append(name) }
                layers[name, default: []].append(layer)
            }
        }
        var tile = Data()
        for name in names {
            guard let layer = join(layers[name] ?? []) else { return nil }
            ProtobufField(Field.layer, layer).write(to: &tile)
        }
        return tile
    }

    /// Features refer to keys and values by their indices in the layer, so those of later tiles are shifted.
    private static func join(_ layers: [[ProtobufField]]) -> Data? {
        var (keys, values) = (UInt64(0), UInt64(0))
        var joined = Data()
        for (index, layer) in layers.enumerated() {
            for var field in layer {
                switch field.number {
                case Field.feature:
                    guard let feature = moved(field.content, keys, values) else { return nil }
                    field = ProtobufField(Field.feature, feature)
                case Field.key, Field.value: break
                // Name, version and extent come from the first layer.
                default: if index > 0 { continue }
                }
                field.write(to: &joined)
            }
            keys += UInt64(layer.count { $0.number == Field.key })
            values += UInt64(layer.count { $0.number == Field.value })
        }
        return joined
    }

    private static func moved(_ feature: Data, _ keys: UInt64, _ values: UInt64) -> Data? {
        guard keys > 0 || values > 0 else { return feature }
        guard let fields = ProtobufField.all(of: feature) else { return nil }
        var moved = Data()
        for field in fields {
            guard field.number == Field.tags else {
                field.write(to: &moved)
                continue
            }
            var (rest, tags, isKey) = (field.content, Data(), true)
            while !rest.isEmpty {
                guard let number = rest.popInteger() else { return nil }
                tags.append(integer: number &+ (isKey ? keys : values))
                isKey.toggle()
            }
            ProtobufField(Field.tags, tags).write(to: &moved)
        }
        return moved
    }
}

/// One field of a message, with its raw content (protobuf.dev/programming-guides/encoding).
private struct ProtobufField {
    private static let delimited: UInt64 = 2

    private let key: UInt64
    /// Without the length prefix, if there is one.
    let content: Data

    var number: UInt64 { key >> 3 }

    init(_ number: UInt64, _ content: Data) {
        (key, self.content) = (number << 3 | Self.delimited, content)
    }

    /// Nil if it isn't a valid field.
    private init?(from rest: inout Data) {
        guard let key = rest.popInteger() else { return nil }
        let start = rest
        let length: Int
        switch key & 7 {
        case 0:
            guard rest.popInteger() != nil else { return nil }
            length = start.count - rest.count
            rest = start
        case 1: length = 8
        case 5: length = 4
        case Self.delimited:
            guard let count = rest.popInteger().flatMap(Int.init(exactly:)) else { return nil }
            length = count
        default: return nil
        }
        guard length <= rest.count else { return nil }
        (self.key, content) = (key, rest.prefix(length))
        rest = rest.dropFirst(length)
    }

    static func all(of message: Data) -> [ProtobufField]? {
        var rest = message
        var fields: [ProtobufField] = []
        while !rest.isEmpty {
            guard let field = ProtobufField(from: &rest) else { return nil }
            fields.append(field)
        }
        return fields
    }

    func write(to message: inout Data) {
        message.append(integer: key)
        if key & 7 == Self.delimited { message.append(integer: UInt64(content.count)) }
        message.append(content)
    }
}

extension Data {
    /// Seven bits per byte, lowest first; nil if it does not end.
    fileprivate mutating func popInteger() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    fileprivate mutating func append(integer: UInt64) {
        var rest = integer
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
