// The map: Leaflet if available, the operator's tiles once loaded, and always a plain ground.

import { h, meta } from './dom.js';
import { iconText } from './icons.js';
import { t } from './i18n.js';

const latLng = ({ latitude, longitude }) => [latitude, longitude];
const pointOf = ({ lat, lng }) => ({ latitude: lat, longitude: lng });
/** The zoom that shows street names; and the closest zoom. */
const STREET = 16;
export const CLOSEST = 19;
/** The least part of a map that must stay uncovered, in pixels; else all of it is used. */
const ROOM = 40;

/**
 * Leaflet, or null if the server doesn't have it.
 * @type {typeof import('/leaflet/leaflet.esm.min.js')}
 */
let L = null;

/**
 * A map in an element. The caller names everything by ids; setting
 * the same marker again moves it. `onground` is called whenever the streets are replaced.
 * @type {Ui.CreateMap}
 */
export async function createMap(element, { label, onclick, onmove, onground } = {}) {
  L ??= await import('/leaflet/leaflet.esm.min.js').catch(() => null);
  if (!L) {
    onground?.();
    return plainMap(element);
  }
  const map = L.map(element, {
    zoomControl: false,
    attributionControl: false,
    center: [20, 0],
    zoom: 2,
    maxZoom: CLOSEST,
  });
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', label ?? t('map.label'));
  L.control.zoom({ position: 'topright', zoomInTitle: t('map.zoomIn'), zoomOutTitle: t('map.zoomOut') }).addTo(map);
  const attribution = L.control.attribution({ position: 'bottomright', prefix: false }).addTo(map);
  const lay = groundOf(map, element, onground);
  living.add(lay);
  lay();
  if (onclick) map.on('click', ({ latlng }) => onclick(pointOf(latlng)));
  const camera = createCamera(map, element, onmove);
  return {
    leaflet: L,
    map,
    isPlain: false,
    ...camera,
    ...createMarkers(map),
    ...createAreas(map, camera),
    ...createRoutes(map, attribution),
    remove() {
      living.delete(lay);
      camera.stop();
      map.remove();
    },
  };
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function createCamera(map, element, onmove) {
  let inset = { top: 60, right: 64, bottom: 40, left: 40 };
  /** The last view set by code: restored when the map changes its size, until the person moves the map. */
  let shown = null;
  const center = () => pointOf(map.getCenter());
  /** Nothing fits into a map behind another screen. */
  const isSeen = () => Math.min(map.getSize().x, map.getSize().y) > 0;
  const show = (task) => {
    shown = task;
    map.invalidateSize({ animate: false, pan: false });
    if (isSeen()) task(!isStill());
  };
  const frame = (bounds, maxZoom = CLOSEST) =>
    show((animate) => map.fitBounds(bounds, { ...padding(map, inset), maxZoom, animate }));
  // A resize moves the view for a moment, but not by hand.
  if (onmove) map.on('moveend', () => onmove(center(), !shown));
  for (const type of ['pointerdown', 'wheel', 'keydown'])
    element.addEventListener(type, () => (shown = null), { passive: true, capture: true });
  // Leaflet ignores new views while it zooms.
  map.on('zoomend', () => isSeen() && shown?.(false));
  const resizes = new ResizeObserver(() => {
    map.invalidateSize({ animate: false, pan: !shown });
    if (isSeen()) shown?.(false);
  });
  resizes.observe(element);
  return {
    center,
    stop: () => resizes.disconnect(),
    /** How much a sheet covers of the map, in pixels, so that what is fitted stays visible. */
    setInset(change) {
      inset = { ...inset, ...change };
    },
    /** Shows these points, `{ latitude, longitude }`. */
    fit(points, { maxZoom = STREET } = {}) {
      const list = points.filter(Boolean).map(latLng);
      if (list.length) frame(L.latLngBounds(list), maxZoom);
    },
    /** Fits the bounds that `find` resolves with, unless something was shown meanwhile. */
    async fitLater(find) {
      // Until then, no movement counts as made by hand.
      const waiting = (shown = () => {});
      const bounds = await find();
      if (bounds && shown === waiting && element.isConnected) frame(bounds);
    },
    go(point, zoom = Math.max(map.getZoom(), STREET)) {
      show((animate) => map.setView(latLng(point), zoom, { animate }));
    },
  };
}

/** Keeps what is fitted in the uncovered part of the map, unless a keyboard or the like covers nearly all of it. */
function padding(map, { top, right, bottom, left }) {
  const { x, y } = map.getSize();
  const isWide = x - left - right >= ROOM;
  const isHigh = y - top - bottom >= ROOM;
  return {
    paddingTopLeft: [isWide ? left : 0, isHigh ? top : 0],
    paddingBottomRight: [isWide ? right : 0, isHigh ? bottom : 0],
  };
}

function createMarkers(map) {
  const markers = new Map();
  /**
   * `{ latitude, longitude, kind: me|valet|car|place|parked|order, icon, text, title, isStale, headingDegrees,
   * onclick, onhold }`,
   * `count` is a number instead of an icon. A null value removes it.
   */
  function setMarker(id, value) {
    const known = markers.get(id);
    if (!value) {
      known?.marker.remove();
      markers.delete(id);
      return;
    }
    const entry = known ?? addMarker(map, value);
    const { marker } = entry;
    const look = JSON.stringify([value.kind, value.icon, value.count, value.text, value.isStale]);
    markers.set(id, entry);
    Object.assign(entry, { onclick: value.onclick, onhold: value.onhold });
    if (known && known.look !== look) marker.setIcon(markerIcon(value));
    entry.look = look;
    name(marker, value);
    if (known) {
      // Gliding looks like driving; during a zoom Leaflet moves markers itself.
      marker.getElement()?.classList.toggle('glides', !isStill() && !map._animatingZoom);
      marker.setLatLng(latLng(value));
    }
    turn(marker, value);
  }
  /** Sets all markers with an id prefix; others are removed. */
  function setMarkers(prefix, values) {
    const wanted = new Map(values.map((value) => [`${prefix}${value.id}`, value]));
    for (const id of [...markers.keys()]) if (id.startsWith(prefix) && !wanted.has(id)) setMarker(id, null);
    for (const [id, value] of wanted) setMarker(id, value);
  }
  return { setMarker, setMarkers };
}

function addMarker(map, value) {
  const marker = L.marker(latLng(value), {
    icon: markerIcon(value),
    title: value.title ?? '',
    alt: value.title ?? '',
    keyboard: Boolean(value.onclick),
    interactive: Boolean(value.onclick || value.title),
  }).addTo(map);
  const entry = { marker };
  marker.on('click', () => entry.onclick?.());
  marker.on('contextmenu', () => entry.onhold?.());
  marker.on('keypress', ({ originalEvent }) => originalEvent.key === 'Enter' && entry.onclick?.());
  return entry;
}

function markerIcon({ kind, icon = 'pin', count, text = '', isStale }) {
  const label = document.createElement('span');
  label.textContent = text;
  const words = text ? `<span class="marker-text">${label.innerHTML}</span>` : '';
  return L.divIcon({
    className: `marker ${kind}${isStale ? ' stale' : ''}`,
    html: `<span class="marker-dot">${count ? Number(count) : iconText(icon)}</span>${words}`,
    iconSize: [36, 36],
    iconAnchor: kind === 'place' ? [18, 36] : [18, 18],
  });
}

/** A marker's name, visible and for screen readers. */
function name(marker, { title, onclick }) {
  const element = marker.getElement();
  if (!element || !title) return;
  element.setAttribute('role', onclick ? 'button' : 'img');
  element.setAttribute('aria-label', title);
  element.title = title;
}

function turn(marker, { headingDegrees }) {
  const dot = marker.getElement()?.querySelector('.marker-dot');
  if (dot) dot.style.setProperty('--heading', Number.isFinite(headingDegrees) ? `${headingDegrees}deg` : '0deg');
}

function createAreas(map, { fitLater }) {
  const areas = new Map();
  return {
    /** Service areas: GeoJSON features with `properties.id` and `.name`. */
    setAreas(features) {
      for (const layer of areas.values()) layer.remove();
      areas.clear();
      for (const feature of features ?? []) {
        const layer = L.geoJSON(feature, { interactive: false, style: { className: 'area', weight: 2 } }).addTo(map);
        areas.set(feature.properties.id, layer);
      }
    },
    /** Fits the first area with streets on the server, or else the first. */
    fitAreas: (features) =>
      fitLater(async () => {
        const { maps } = await ownMaps();
        return areas.get(areaWithStreets(features, maps)?.properties.id)?.getBounds();
      }),
  };
}

/** The first area with streets, or else the first. */
export const areaWithStreets = (areas, maps) =>
  areas.find(
    ({
      properties: {
        servicePoint: { latitude, longitude },
      },
    }) =>
      maps.some(
        ({ bounds: { south, west, north, east } }) =>
          latitude >= south && latitude <= north && longitude >= west && longitude <= east,
      ),
  ) ?? areas[0];

function createRoutes(map, attribution) {
  const routes = new Map();
  const sources = new Set();
  return {
    /** A route: `{ geometry: LineString, source }`; null removes it. */
    setRoute(id, route) {
      routes.get(id)?.remove();
      routes.delete(id);
      if (!route) return;
      const points = route.geometry.coordinates.map(([x, y]) => [y, x]);
      const className = `route ${route.source === 'straightLine' ? 'straight' : ''}`;
      routes.set(id, L.polyline(points, { className, interactive: false, weight: 5 }).addTo(map));
      for (const source of sources) attribution.removeAttribution(source);
      if (route.attribution) {
        sources.add(route.attribution);
        attribution.addAttribution(route.attribution);
      }
    },
  };
}

let asked = null;
let last = { maps: [] };

/**
 * The server's own maps, `{ tiles, maps: [{ attribution, bounds }] }`; the last known ones if it
 * doesn't answer.
 */
export const ownMaps = () => (asked ??= askForMaps());

async function askForMaps() {
  try {
    const answer = await fetch('/tiles');
    if (answer.ok) return (last = await answer.json());
  } catch {
    // Offline.
  }
  asked = null;
  return last;
}

/** Maps on screen, which follow changes of the server's maps; and the interval of checks, in ms. */
const living = new Set();
const PACE = 60_000;
setInterval(() => {
  if (document.hidden || !living.size) return;
  asked = null;
  for (const lay of living) lay();
}, PACE);

/** Whether places can be searched by name. */
export const hasPlaces = async () => Boolean(meta('geocoder') || (await ownMaps()).maps.length);

/**
 * Lays a map's ground if it has changed: streets from the server's own maps, outside of them the tile images of the
 * setting, or else plain. Areas, markers and routes are always ours.
 */
function groundOf(map, element, onground = () => {}) {
  const address = meta('tiles');
  let ground = null;
  let isOf = null;

  const images = () =>
    L.tileLayer(address, { maxZoom: CLOSEST, attribution: meta('attribution'), className: 'raster' })
      .on('tileerror', () => element.classList.add('plain-ground'))
      .on('tileload', () => element.classList.remove('plain-ground'));

  async function streets({ tiles, maps }) {
    const { basemap } = await import('./basemap.js');
    const sources = [...maps.map(({ attribution }) => attribution), ...(address ? [meta('attribution')] : [])];
    const elsewhere = (coords) => address && L.Util.template(address, { s: 'a', r: '', ...coords });
    return basemap(L, { address: tiles, attribution: [...new Set(sources)].join(', '), elsewhere });
  }

  return async function lay() {
    const own = await ownMaps();
    const key = JSON.stringify(own);
    if (key === isOf) return;
    isOf = key;
    let next = null;
    try {
      next = own.tiles ? await streets(own) : address ? images() : null;
    } catch {
      // The code that draws them failed to load: retried at the next check.
      isOf = null;
    }
    // Meanwhile the view may have closed, or other streets been laid.
    if (!living.has(lay) || isOf !== key) return;
    ground?.remove();
    ground = next;
    element.classList.toggle('plain-ground', !ground);
    ground?.addTo(map);
    onground();
  };
}

/** Says what is missing; its methods do nothing. */
function plainMap(element) {
  element.replaceChildren(h('p', { class: 'map-missing' }, t('map.missing')));
  const nothing = () => {};
  return {
    map: null,
    isPlain: true,
    center: () => null,
    setInset: nothing,
    setMarker: nothing,
    setMarkers: nothing,
    setAreas: nothing,
    setRoute: nothing,
    fit: nothing,
    fitAreas: nothing,
    go: nothing,
    remove: nothing,
  };
}
