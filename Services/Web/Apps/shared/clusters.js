// Markers that would hide one another are one with their number: they stand where things are, and are never displaced.

/** Markers without words nearer than this to each other would hide one another, in pixels. */
const NEAR = 28;

/**
 * Markers `{ id, latitude, longitude, kind, … }` as `setMarkers` takes them, gathered for the zoom of a view; what is chosen
 * stands for itself. `titleOf(count)` names a group, `onclick(members)` is told of a tap on it.
 */
export function gather({ map }, markers, { near = NEAR, titleOf, onclick }) {
  const groups = [];
  for (const marker of markers) {
    const at = map.project([marker.latitude, marker.longitude]);
    const isAlone = marker.kind.endsWith(' chosen');
    const group = groups.find((one) => !isAlone && !one.isAlone && one.at.distanceTo(at) < near);
    if (group) group.members.push(marker);
    else groups.push({ at, isAlone, members: [marker] });
  }
  return groups.map(({ members }) => {
    if (members.length === 1) return members[0];
    const [{ id, latitude, longitude }] = members;
    return { id: `several-${id}`, latitude, longitude, kind: 'several', count: members.length, title: titleOf(members.length), onclick: () => onclick(members) };
  });
}
