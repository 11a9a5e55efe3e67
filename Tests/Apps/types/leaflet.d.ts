// Leaflet 1.9, as far as the apps use it.

/** A list has two numbers, but is often made where TypeScript doesn't see that. */
export type At = number[] | LatLng;
export type Pixels = number[] | Point;

export interface LatLng {
  lat: number;
  lng: number;
}
export interface LatLngBounds {
  isValid(): boolean;
}
export interface Point {
  x: number;
  y: number;
  add(by: Pixels): Point;
  equals(other: Pixels): boolean;
  distanceTo(other: Pixels): number;
}

export interface Handled {
  on(type: string, listener: (event: any) => any): this;
  off(type: string, listener?: (event: any) => any): this;
}
export interface Layer extends Handled {
  addTo(map: Map): this;
  remove(): this;
}
export interface Shape extends Layer {
  getBounds(): LatLngBounds;
  setLatLngs(points: At[] | At[][]): this;
  setStyle(look: PathOptions): this;
}
export interface Marker extends Layer {
  getElement(): HTMLElement | undefined;
  getLatLng(): LatLng;
  setIcon(icon: Icon): this;
  setLatLng(at: At): this;
}
export interface Icon {
  options: object;
}

export interface Map extends Handled {
  scrollWheelZoom: { disable(): void };
  containerPointToLatLng(point: Pixels): LatLng;
  containerPointToLayerPoint(point: Pixels): Point;
  fitBounds(bounds: LatLngBounds, options?: object): this;
  getCenter(): LatLng;
  getContainer(): HTMLElement;
  getPane(name: string): HTMLElement;
  getPixelBounds(): { min: Point; max: Point };
  getSize(): Point;
  getZoom(): number;
  invalidateSize(options: { animate?: boolean; pan?: boolean }): this;
  latLngToContainerPoint(at: At): Point;
  latLngToLayerPoint(at: At): Point;
  project(at: At, zoom?: number): Point;
  remove(): void;
  setView(at: At, zoom: number, options?: { animate?: boolean }): this;
  /** Leaflet's own: true during a zoom. */
  readonly _animatingZoom?: boolean;
}
export interface PathOptions {
  className?: string;
  interactive?: boolean;
  weight?: number;
  radius?: number;
}

export declare function map(element: HTMLElement, options: object): Map;
export declare function marker(at: At, options: object): Marker;
export declare function divIcon(options: {
  className: string;
  html: string;
  iconSize: Pixels;
  iconAnchor: Pixels;
}): Icon;
export declare function polyline(points: At[], options: PathOptions): Shape;
export declare function polygon(points: At[] | At[][], options: PathOptions): Shape;
export declare function circle(at: At, options: PathOptions): Shape;
export declare function geoJSON(feature: object, options: object): Shape;
export declare function latLngBounds(points: At[]): LatLngBounds;
export declare function tileLayer(address: string, options: object): Layer;
export declare const control: {
  zoom(options: object): Layer;
  attribution(options: object): Layer & { addAttribution(text: string): void; removeAttribution(text: string): void };
};
/** Classes that the apps derive from these: their members are added at run time. */
export declare const Layer: { extend(members: any): new (options?: object) => any };
export declare const GridLayer: { extend(members: any): new (options?: object) => any };
export declare const DomUtil: {
  create(tag: string, className: string, parent: HTMLElement): any;
  setPosition(element: HTMLElement, at: Point): void;
};
export declare const LineUtil: { pointToSegmentDistance(point: Point, from: Point, to: Point): number };
export declare const Util: { template(text: string, values: object): string };
