// Reads vector tiles: Mapbox Vector Tile specification 2.1, in the coordinates of the tile (0 to extent).

/** The part of Protocol Buffers that vector tiles use. */
class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  varint() {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * shift;
      if (byte < 128) return value;
      if (this.at >= this.end) throw new RangeError('A tile that was cut off.');
    }
  }

  /** Calls `field(number, reader, kind)` for each field; unread bytes are skipped. */
  fields(field) {
    while (this.at < this.end) {
      const key = this.varint();
      const kind = key & 7;
      if (kind === 2) {
        const length = this.varint();
        const end = this.at + length;
        if (end > this.end) throw new RangeError('A tile that was cut off.');
        field(key >>> 3, new Reader(this.bytes, this.at, end));
        this.at = end;
      } else if (kind === 0) {
        field(key >>> 3, this.varint());
      } else if (kind === 5 || kind === 1) {
        const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at);
        field(key >>> 3, kind === 5 ? view.getFloat32(0, true) : view.getFloat64(0, true));
        this.at += kind === 5 ? 4 : 8;
      } else {
        throw new RangeError(`A field of the kind ${kind}.`);
      }
    }
  }

  text() {
    return new TextDecoder().decode(this.bytes.subarray(this.at, this.end));
  }

  numbers() {
    const numbers = [];
    while (this.at < this.end) numbers.push(this.varint());
    return numbers;
  }
}

const signed = (number) => (number % 2 ? -(number + 1) / 2 : number / 2);

/** Lists of points `[x, y, x, y, …]`, and whether each is closed. */
function parts(commands) {
  const found = [];
  let [x, y, part] = [0, 0, null];
  for (let at = 0; at < commands.length; ) {
    const command = commands[at++];
    const id = command & 7;
    for (let count = id === 7 ? 0 : command >>> 3; count > 0; count--) {
      x += signed(commands[at++]);
      y += signed(commands[at++]);
      if (id === 1) found.push((part = []));
      part?.push(x, y);
    }
    if (id === 7 && part) part.isClosed = true;
  }
  return found;
}

function value(reader) {
  let found = null;
  reader.fields((number, given) => {
    if (number === 1) found = given.text();
    else found = number === 6 ? signed(given) : number === 7 ? Boolean(given) : given;
  });
  return found;
}

function layer(reader) {
  const [keys, values, raw] = [[], [], []];
  let [name, extent] = ['', 4096];
  reader.fields((number, given) => {
    if (number === 1) name = given.text();
    else if (number === 2) raw.push(given);
    else if (number === 3) keys.push(given.text());
    else if (number === 4) values.push(value(given));
    else if (number === 5) extent = given;
  });
  const features = raw.map((each) => {
    const feature = { kind: 0, properties: {}, parts: [] };
    each.fields((number, given) => {
      if (number === 3) feature.kind = given;
      else if (number === 4) feature.parts = parts(given.numbers());
      else if (number === 2) {
        const tags = given.numbers();
        for (let at = 0; at + 1 < tags.length; at += 2) feature.properties[keys[tags[at]]] = values[tags[at + 1]];
      }
    });
    return feature;
  });
  return { name, extent, features };
}

/**
 * The layers of a tile by name: `{ extent, features: [{ kind: 1 point | 2 line | 3 area, properties, parts }] }`.
 * Throws a RangeError for invalid data.
 */
export function readTile(buffer) {
  const layers = new Map();
  new Reader(new Uint8Array(buffer)).fields((number, given) => {
    if (number !== 3) return;
    const { name, ...content } = layer(given);
    layers.set(name, content);
  });
  return layers;
}
