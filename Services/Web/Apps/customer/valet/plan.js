// Planning an order or a recall: a point on the map, the vehicle, extras, the time.

import { Offline, Problem, withQuery } from '/apps/shared/api.js';
import { cityOf } from '/apps/shared/demo.js';
import { isInside, metersBetween } from '/apps/shared/position.js';
import { createState } from '/apps/shared/state.js';
import { recall, remember } from '/apps/shared/storage.js';
import { uuid } from '/apps/shared/dom.js';

const VEHICLE = 'openvalet.customer.vehicle';
/** A point that moves less than this keeps its name, in metres. */
const SAME_PLACE = 15;
/** Nearby valets are loaded again after this time or distance. */
const NEARBY_PACE = 20_000;
const NEARBY_STEP = 400;
const WALKING = 1.25;
/** The length of streets divided by that of the straight line. */
const DETOUR = 1.3;
/** The longest walk shown to a person with a vehicle, in seconds. */
const LONGEST_WALK = 1_800;

const later = (delay) => {
  let timer;
  return (task) => {
    clearTimeout(timer);
    timer = setTimeout(task, delay);
  };
};

const NO_RESULTS = { results: null, active: -1, isSearching: false, searchProblem: null };
const EMPTY = {
  point: null,
  walk: null,
  query: '',
  ...NO_RESULTS,
  attribution: null,
  open: null,
  extras: [],
  when: null,
  isBusy: false,
  problem: null,
  nearby: [],
  hasNearby: false,
};

export function createPlan({ api, store, position }) {
  const state = createState({ ...EMPTY, vehicle: recall(VEHICLE) ?? null });
  const { set } = state;
  const { type, clearSearch } = createSearch(api, state, position);
  const { send, forget } = createRepeats(api);
  const { setPoint, lookAround } = createPoint(api, state);
  const areaOf = (point) => point && (store.value.areas?.find(({ geometry }) => isInside(point, geometry)) ?? null);
  /** The first vehicle, until one is chosen on this device. */
  const vehicleOf = (vehicles) =>
    state.value.vehicle === null ? vehicles[0] : vehicles.find(({ id }) => id === state.value.vehicle);
  const wayTo = (area) => wayBetween(position.last, area);

  function reset() {
    forget();
    clearSearch();
    set({ open: null, extras: [], when: null, problem: null, isBusy: false, walk: null });
  }

  // The new order has answered this request: the next one gets a new key, even at the same point.
  let known = store.value.order?.id;
  store.state.listen(({ order }) => {
    const isNew = order && order.id !== known;
    known = order?.id;
    if (isNew) reset();
  });

  return {
    state,
    get value() {
      return state.value;
    },
    set,
    setPoint,
    areaOf,
    nearestArea: (point) => nearestArea(store.value.areas ?? [], point),
    lookAround: () => state.value.point && lookAround(state.value.point),
    type,
    clearSearch,
    /** An empty id means that the customer tells the valet in person. */
    chooseVehicle(id) {
      remember(VEHICLE, id);
      set({ vehicle: id });
    },
    vehicleOf,
    wayTo,
    /** Chooses an area's service point and shows the way there. */
    walkTo(area) {
      const walk = wayTo(area);
      const { to } = walk;
      set({ walk });
      setPoint({ ...to, address: to.address ?? null, name: area.properties.name }, { isNamed: Boolean(to.address) });
    },
    endWalk: () => state.value.walk && set({ walk: null }),
    place(vehicles) {
      const { point, extras, when } = state.value;
      const vehicle = vehicleOf(vehicles);
      const area = areaOf(point);
      return send('/v1/orders', {
        dropOff: placeOf(point),
        ...(vehicle ? { vehicleId: vehicle.id } : {}),
        ...(extras.length
          ? { extras: extras.filter((extra) => extra in (area?.properties.tariff?.extras ?? {})) }
          : {}),
        ...(when ? { scheduledFor: new Date(when).toISOString() } : {}),
      });
    },
    returnPlace: () => placeOf(state.value.point),
    reset,
  };
}

/** The area with the nearest service point; in a demo the simulated city. */
const nearestArea = (areas, point) =>
  cityOf(areas) ??
  [...areas].sort(
    (a, b) => metersBetween(point, a.properties.servicePoint) - metersBetween(point, b.properties.servicePoint),
  )[0] ??
  null;

/** The straight line from a position to an area's service point; without a position, only its end. */
export function wayBetween(from, area) {
  const { servicePoint: to } = area.properties;
  if (!from) return { area, to };
  const meters = metersBetween(from, to) * DETOUR;
  const seconds = meters / WALKING;
  const coordinates = [from, to].map(({ latitude, longitude }) => [longitude, latitude]);
  return {
    area,
    to,
    from,
    meters,
    seconds,
    isFar: seconds > LONGEST_WALK,
    route: { source: 'straightLine', geometry: { coordinates } },
  };
}

function createPoint(api, state) {
  const soonName = later(500);
  let asked = { at: 0, point: null };
  let canName = true;

  function setPoint(point, { isNamed = false } = {}) {
    const before = state.value.point;
    if (!isNamed && before?.address && metersBetween(before, point) < SAME_PLACE) return;
    state.set({ point, problem: null });
    if (!isNamed) soonName(() => name(point));
    lookAround(point);
  }

  async function name(point) {
    if (!canName) return;
    try {
      const { items } = await api.get(
        withQuery('/v1/places/reverse', { latitude: point.latitude.toFixed(6), longitude: point.longitude.toFixed(6) }),
      );
      if (state.value.point === point && items[0])
        state.set({ point: { ...point, name: items[0].name, address: items[0].address } });
    } catch (error) {
      if (error instanceof Problem && error.status === 404) canName = false;
    }
  }

  async function lookAround(point) {
    const isNear = asked.point && metersBetween(asked.point, point) < NEARBY_STEP;
    if (!api.isSignedIn || (isNear && Date.now() - asked.at < NEARBY_PACE)) return;
    asked = { at: Date.now(), point };
    try {
      const { items } = await api.get(
        withQuery('/v1/valets/nearby', { latitude: point.latitude, longitude: point.longitude }),
      );
      state.set({ nearby: items, hasNearby: true });
    } catch {
      state.set({ nearby: [], hasNearby: false });
    }
  }

  return { setPoint, lookAround };
}

// MARK: Search

function createSearch(api, state, position) {
  const { set } = state;
  const soonSearch = later(600);
  let stopper = null;

  async function search() {
    const query = state.value.query.trim();
    stopper?.abort();
    if (query.length < 2) return set(NO_RESULTS);
    stopper = new AbortController();
    set({ isSearching: true });
    try {
      const at = state.value.point ?? position.last;
      const { items, attribution, source } = await api.get(
        withQuery('/v1/places', { query, latitude: at?.latitude, longitude: at?.longitude, limit: 6 }),
        { signal: stopper.signal },
      );
      set({ ...NO_RESULTS, results: items, attribution, canFind: source !== 'coordinates' });
    } catch (error) {
      if (error.name === 'AbortError') return undefined;
      const point = typedPoint(query);
      set({
        ...NO_RESULTS,
        results: point ? [point] : [],
        attribution: null,
        canFind: false,
        searchProblem: point || error.status === 404 ? null : error,
      });
    }
    return undefined;
  }

  return {
    type(query) {
      set({ query });
      soonSearch(search);
    },
    clearSearch() {
      stopper?.abort();
      set({ query: '', ...NO_RESULTS });
    },
  };
}

/** The same request keeps its key until it is answered, so that a lost answer orders nothing twice. */
function createRepeats(api) {
  let wish = {};
  const forget = () => (wish = {});
  return {
    async send(path, body) {
      const text = JSON.stringify([path, body]);
      if (wish.text !== text) wish = { text, key: uuid() };
      try {
        const answer = await api.post(path, body, { key: wish.key });
        forget();
        return answer;
      } catch (error) {
        if (!(error instanceof Offline) && !error.isPassing) forget();
        throw error;
      }
    },
    forget,
  };
}

export const placeOf = ({ latitude, longitude, name, address }) => {
  // An address of our own maps begins with the name.
  const words = (name && address?.startsWith(name) ? [address] : [name, address])
    .filter(Boolean)
    .join(', ')
    .slice(0, 200);
  return { latitude: round(latitude), longitude: round(longitude), ...(words ? { address: words } : {}) };
};
/** Six decimals are a tenth of a meter. */
const round = (degrees) => Math.round(degrees * 1e6) / 1e6;

/** Coordinates as people paste them: "22.28, 114.16". */
export function typedPoint(text) {
  const found = /^\s*(-?\d{1,2}(?:\.\d+)?)[,\s]+(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  if (!found) return null;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude, name: null, address: `${latitude}, ${longitude}` }
    : null;
}

export const pointText = (point) =>
  point?.name || point?.address || (point ? `${point.latitude.toFixed(5)}, ${point.longitude.toFixed(5)}` : '');
