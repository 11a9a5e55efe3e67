// Finds `/apps/…` in the sources, as the server does, and takes scripts there as ES modules.

const APPS = new URL('../../Services/Web/Apps/', import.meta.url).href;

export const resolve = (specifier, context, next) =>
  next(specifier.startsWith('/apps/') ? APPS + specifier.slice('/apps/'.length) : specifier, context);

export const load = (url, context, next) =>
  next(url, url.startsWith(APPS) ? { ...context, format: 'module' } : context);
