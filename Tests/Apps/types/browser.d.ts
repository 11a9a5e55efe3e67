// What browsers have and TypeScript 4.8 doesn't know, and what the server and the sources add to it.

/** The constructor `AbortSignal`; the library declares it in a way that can't be extended. */
type TimedSignals = typeof AbortSignal & { timeout(milliseconds: number): AbortSignal };

declare function createImageBitmap(image: Blob, options: { imageOrientation: 'from-image' }): Promise<ImageBitmap>;

/** What the apps look for are elements of HTML, or can be focused like those. */
interface ParentNode {
  querySelector<Found extends HTMLElement>(selectors: string): Found | null;
  querySelectorAll(selectors: 'dialog[open]'): NodeListOf<HTMLDialogElement & { place: number }>;
  querySelectorAll<Found extends HTMLElement>(selectors: string): NodeListOf<Found>;
}

declare namespace Intl {
  function supportedValuesOf(key: 'timeZone'): string[];
}

interface Navigator {
  readonly wakeLock?: { request(kind: 'screen'): Promise<{ readonly released: boolean; release(): Promise<void> }> };
}

interface WindowEventMap {
  beforeinstallprompt: Event & { prompt(): Promise<void>; userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }> };
}

// MARK: The service worker

/** The server writes these two before the worker's source. */
declare const FILES: string[];
declare const VERSION: string;

interface ExtendableEvent extends Event {
  waitUntil(task: Promise<any>): void;
}

interface WindowEventMap {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: ExtendableEvent & { readonly request: Request; respondWith(answer: Promise<Response>): void };
  push: ExtendableEvent & { readonly data: { json(): any; text(): string } | null };
  notificationclick: ExtendableEvent & { readonly notification: Notification };
}

interface WorkerClient {
  readonly url: string;
  focus(): Promise<WorkerClient>;
  postMessage(message: any): void;
}

/** `self` is a page in most files, and the worker's scope in one. */
interface Window {
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled?: boolean }): Promise<WorkerClient[]>;
    openWindow(url: string): Promise<WorkerClient | null>;
  };
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
}
