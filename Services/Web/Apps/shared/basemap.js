// The street map: our own server's vector tiles, drawn on Leaflet's canvases.

import { language } from './i18n.js';
import { readTile } from './mvt.js';
import { atZoom, labels, oneWay, rules } from './basemap-style.js';

/** The zoom of the most detailed tiles; closer views enlarge them. */
const DEEPEST = 14;
const SIZE = 256;
/** Decoded tiles to keep: a screen of them, and its surroundings. */
const KEPT = 96;
/** Pixels between two arrows on a line. */
const ARROW_GAP = 110;

const dark = matchMedia('(prefers-color-scheme: dark)');

/** A decoded tile: its layers, and one path per rule, made when first drawn. */
class Tile {
  constructor(layers) {
    this.layers = layers;
    this.paths = new Map();
  }

  features({ layer, when }) {
    const found = this.layers.get(layer);
    return found ? (when ? found.features.filter(({ properties }) => when(properties)) : found.features) : [];
  }

  extent({ layer }) {
    return this.layers.get(layer)?.extent ?? 4096;
  }

  path(rule) {
    let path = this.paths.get(rule);
    if (path === undefined) {
      const features = this.features(rule);
      path = features.length ? new Path2D() : null;
      for (const { parts, kind } of features) {
        if (kind === 1) continue;
        for (const part of parts) trace(path, part);
      }
      this.paths.set(rule, path);
    }
    return path;
  }
}

function trace(path, part) {
  path.moveTo(part[0], part[1]);
  for (let at = 2; at < part.length; at += 2) path.lineTo(part[at], part[at + 1]);
  if (part.isClosed) path.closePath();
}

/** Tiles by position, null outside the maps; each is fetched once, and again after a failure. */
class Tiles {
  constructor(address) {
    this.address = address;
    this.kept = new Map();
  }

  get(z, x, y) {
    const key = `${z}/${x}/${y}`;
    let tile = this.kept.get(key);
    this.kept.delete(key);
    tile ??= this.load(key);
    this.kept.set(key, tile);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    return tile;
  }

  async load(key) {
    const [z, x, y] = key.split('/');
    try {
      const answer = await fetch(this.address.replace('{z}', z).replace('{x}', x).replace('{y}', y));
      if (answer.status === 204) return null;
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      return new Tile(readTile(await answer.arrayBuffer()));
    } catch (error) {
      this.kept.delete(key);
      throw error;
    }
  }
}

/** The tile that contains `coords`, and the part of it to draw: its scale and offset. */
function source({ x, y, z }) {
  const above = Math.max(0, z - DEEPEST);
  const scale = 2 ** above;
  return { z: z - above, x: Math.floor(x / scale), y: Math.floor(y / scale), scale, left: x % scale, top: y % scale };
}

function palette(element) {
  const style = getComputedStyle(element);
  const known = new Map();
  return (name) => {
    if (!known.has(name)) known.set(name, style.getPropertyValue(`--map-${name}`).trim() || '#888');
    return known.get(name);
  };
}

function draw(context, tile, place, zoom, color) {
  const isShown = ({ from = 0, to = 99 }) => zoom >= from && zoom <= to;
  for (const rule of rules.filter(isShown)) {
    const path = tile.path(rule);
    if (!path) continue;
    const factor = scaleTo(context, place, tile.extent(rule));
    if (rule.fill) {
      context.fillStyle = color(rule.fill);
      context.fill(path, 'evenodd');
    }
    if (!rule.line) continue;
    context.strokeStyle = color(rule.line);
    context.lineWidth = (atZoom(rule.width, zoom) + (rule.more ?? 0)) / factor;
    context.lineCap = rule.dash ? 'butt' : 'round';
    context.lineJoin = 'round';
    context.setLineDash((rule.dash ?? []).map((length) => length / factor));
    context.stroke(path);
  }
  if (isShown(oneWay)) arrows(context, tile, place, color);
}

/** Sets the canvas transform to the tile's coordinates; returns pixels per unit. */
function scaleTo(context, { scale, left, top, ratio }, extent) {
  const factor = (SIZE * scale) / extent;
  context.setTransform(factor * ratio, 0, 0, factor * ratio, -left * SIZE * ratio, -top * SIZE * ratio);
  return factor;
}

function arrows(context, tile, place, color) {
  const factor = scaleTo(context, place, tile.extent(oneWay));
  const arrow = new Path2D('M-5 -1.2H1V-4L6 0 1 4V1.2H-5Z');
  const base = context.getTransform();
  context.fillStyle = color(oneWay.color);
  for (const { parts, properties } of tile.features(oneWay)) {
    for (const part of parts) {
      let rest = ARROW_GAP / 2;
      for (let at = 2; at < part.length; at += 2) {
        const [dx, dy] = [part[at] - part[at - 2], part[at + 1] - part[at - 1]];
        const length = Math.hypot(dx, dy) * factor;
        for (; rest < length; rest += ARROW_GAP) {
          context.setTransform(base);
          context.translate(part[at - 2] + (dx * rest) / length, part[at - 1] + (dy * rest) / length);
          context.rotate(Math.atan2(dy, dx) + (properties.oneway < 0 ? Math.PI : 0));
          context.scale(0.8 / factor, 0.8 / factor);
          context.fill(arrow);
        }
        rest -= length;
      }
    }
  }
}

/** Draws an external tile once it is loaded. */
function image(canvas, address) {
  if (!address) return;
  const picture = new Image();
  picture.onload = () => canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.src = address;
}

/** The name in the person's language, or the local name. */
export function named(properties, { text }) {
  if (text) return properties[text];
  const [short] = language().split('-');
  return properties[`name:${language()}`] ?? properties[`name:${short}`] ?? properties['name:latin'] ?? properties.name;
}

/** Writes the names of the visible tiles, none over another. */
function write(context, shown, { zoom, size, origin, ratio, color }) {
  const boxes = [];
  const written = new Map();
  const { fontFamily } = getComputedStyle(document.body);
  context.strokeStyle = color('halo');
  for (const rule of labels) {
    if (zoom < (rule.from ?? 0) || zoom > (rule.to ?? 99)) continue;
    const height = atZoom(rule.size, zoom);
    context.font = `${rule.weight ?? 400} ${height * ratio}px ${fontFamily}`;
    context.lineWidth = 3 * ratio;
    context.fillStyle = color(rule.color ?? 'text');
    for (const [text, spot] of spots(rule, shown, origin)) {
      if (spot.x < 0 || spot.y < 0 || spot.x > size.x || spot.y > size.y) continue;
      const width = context.measureText(text).width / ratio;
      const others = written.get(text) ?? [];
      // The same name must be far enough away.
      const isNear = others.some(([x, y]) => Math.hypot(x - spot.x, y - spot.y) < (rule.along ? 260 : 600));
      const box = boxOf(spot, width, height);
      if (width > spot.length * 1.1 || isNear || boxes.some((other) => overlap(box, other))) continue;
      boxes.push(box);
      written.set(text, [...others, [spot.x, spot.y]]);
      writeName(context, text, spot, rule, ratio);
    }
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
}

/** Each name of a rule with the places where it can be written. */
function* spots(rule, shown, origin) {
  for (const { tile, x, y, side } of shown) {
    const factor = side / tile.extent(rule);
    for (const { properties, parts } of tile.features(rule)) {
      const text = named(properties, rule);
      if (!text) continue;
      for (const part of parts) {
        /** @type {[number, number][]} */
        const points = [];
        for (let at = 0; at < part.length; at += 2)
          points.push([x + part[at] * factor - origin.x, y + part[at + 1] * factor - origin.y]);
        const spot = rule.along ? straight(points) : beside(points[0], rule);
        if (spot) yield [text, spot];
      }
    }
  }
}

const beside = ([x, y], { dot = null }) => ({ x, y: y + (dot ? 10 : 0), angle: 0, length: Infinity });

function boxOf({ x, y, angle }, width, height) {
  const [across, down] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const halfWidth = (width * across + height * down) / 2 + 2;
  const halfHeight = (width * down + height * across) / 2 + 2;
  return [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight];
}

function writeName(context, text, { x, y, angle }, { dot = null }, ratio) {
  const turned = angle > Math.PI / 2 ? -Math.PI : angle < -Math.PI / 2 ? Math.PI : 0;
  context.setTransform(1, 0, 0, 1, x * ratio, y * ratio);
  context.rotate(angle + turned);
  context.strokeText(text, 0, 0);
  context.fillText(text, 0, 0);
  if (!dot) return;
  context.beginPath();
  context.arc(0, -10 * ratio, 2 * ratio, 0, 2 * Math.PI);
  context.fill();
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** The longest piece of a line that is straight enough for a name: its middle, length and angle. */
function straight(points) {
  let best = null;
  let start = 0;
  for (let end = 1; end < points.length; end++) {
    const angle = (from, to) => Math.atan2(points[to][1] - points[from][1], points[to][0] - points[from][0]);
    const bend = Math.abs(angle(start, start + 1) - angle(end - 1, end));
    if (Math.min(bend, 2 * Math.PI - bend) > 0.35) start = end - 1;
    const [from, to] = [points[start], points[end]];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (!best || length > best.length) {
      best = {
        length,
        x: (from[0] + to[0]) / 2,
        y: (from[1] + to[1]) / 2,
        angle: Math.atan2(to[1] - from[1], to[0] - from[0]),
      };
    }
  }
  return best;
}

/** The visible tiles that could be loaded. */
async function visible(tiles, view, zoom) {
  const z = Math.min(DEEPEST, Math.floor(zoom));
  const side = SIZE * 2 ** (zoom - z);
  const wanted = [];
  for (let x = Math.floor(view.min.x / side); x <= view.max.x / side; x++) {
    for (let y = Math.floor(view.min.y / side); y <= view.max.y / side; y++) {
      if (y < 0 || y >= 2 ** z) continue;
      wanted.push(
        tiles.get(z, ((x % 2 ** z) + 2 ** z) % 2 ** z, y).then(
          (tile) => tile && { tile, x: x * side, y: y * side, side },
          () => null,
        ),
      );
    }
  }
  return (await Promise.all(wanted)).filter(Boolean);
}

/** The layer of the names. `streets` has `tiles`, `ratio`, and `color` as long as it is on a map. */
const namesLayer = (L, streets) =>
  L.Layer.extend({
    onAdd(map) {
      this.canvas = L.DomUtil.create('canvas', 'map-names', map.getPane('tilePane'));
      this.canvas.style.cssText = 'position:absolute;pointer-events:none;z-index:2';
      this.redraw = this.redraw.bind(this);
    },
    onRemove() {
      cancelAnimationFrame(this.frame);
      this.canvas.remove();
    },
    getEvents() {
      const hide = () => (this.canvas.style.visibility = 'hidden');
      return { moveend: () => this.soon(), resize: () => this.soon(), zoomanim: hide, zoomstart: hide };
    },
    soon() {
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(this.redraw);
    },
    async redraw() {
      const map = this._map;
      if (!map) return;
      const { tiles, ratio } = streets;
      const [zoom, size] = [map.getZoom(), map.getSize()];
      const view = map.getPixelBounds();
      const shown = await visible(tiles, view, zoom);
      if (this._map !== map || map.getZoom() !== zoom || !map.getPixelBounds().min.equals(view.min)) return;
      Object.assign(this.canvas, { width: size.x * ratio, height: size.y * ratio });
      Object.assign(this.canvas.style, { width: `${size.x}px`, height: `${size.y}px`, visibility: 'visible' });
      L.DomUtil.setPosition(this.canvas, map.containerPointToLayerPoint([0, 0]));
      const context = this.canvas.getContext('2d');
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.lineJoin = 'round';
      write(context, shown, { zoom, size, origin: view.min, ratio, color: streets.color });
    },
  });

const groundLayer = (L, streets) =>
  L.GridLayer.extend({
    createTile(coords, done) {
      const { tiles, ratio, names, elsewhere } = streets;
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = SIZE * ratio;
      const place = { ...source(coords), ratio };
      tiles.get(place.z, place.x, place.y).then(
        (tile) => {
          if (tile) draw(canvas.getContext('2d'), tile, place, coords.z, streets.color);
          else image(canvas, elsewhere(coords));
          done(null, canvas);
          names.soon();
        },
        (error) => done(error, canvas),
      );
      return canvas;
    },
  });

/**
 * The streets as two Leaflet layers: the ground, and the names above it. Outside our maps,
 * `elsewhere` returns the URL of a tile image, or nothing.
 */
export function basemap(L, { address, attribution, elsewhere = () => null }) {
  const streets = { tiles: new Tiles(address), ratio: Math.min(2, window.devicePixelRatio || 1), elsewhere };
  const names = new (namesLayer(L, streets))();
  const ground = new (groundLayer(L, streets))({ tileSize: SIZE, attribution, className: 'streets' });
  streets.names = names;
  const recolor = (map) => (streets.color = palette(map.getContainer()));
  const onScheme = () => {
    recolor(ground._map);
    ground.redraw();
    names.soon();
  };
  const forget = () => dark.removeEventListener('change', onScheme);
  return {
    addTo(map) {
      recolor(map);
      ground.addTo(map);
      names.addTo(map);
      dark.addEventListener('change', onScheme);
      map.on('unload', forget);
    },
    remove() {
      forget();
      ground.remove();
      names.remove();
    },
  };
}
