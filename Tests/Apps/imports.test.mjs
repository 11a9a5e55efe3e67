import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const APPS = new URL('../../Services/Web/Apps/', import.meta.url);
const scripts = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const url = new URL(entry.name + (entry.isDirectory() ? '/' : ''), folder);
    return entry.isDirectory() ? scripts(url) : entry.name.endsWith('.js') ? [url] : [];
  });
const texts = new Map(scripts(APPS).map((url) => [url.href, readFileSync(url, 'utf8')]));
const target = (from, specifier) =>
  specifier.startsWith('/apps/') ? new URL(specifier.slice('/apps/'.length), APPS) : new URL(specifier, from);
/** `a`, `b as c` → `a`, `b`, or their names outside. */
const names = (list, isOutside) =>
  list
    .split(',')
    .map((one) =>
      one
        .trim()
        .split(' as ')
        .at(isOutside ? -1 : 0),
    )
    .filter(Boolean);

function exportsOf(text) {
  const declared = [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => names(list, true));
  return new Set([...declared, ...listed]);
}

test('each import is exported by its module', () => {
  let count = 0;
  for (const [href, text] of texts) {
    for (const [, list, specifier] of text.matchAll(/^(?:import|export) \{([^}]*)\} from '([^']+)'/gm)) {
      const module = texts.get(target(href, specifier).href);
      assert.ok(module !== undefined, `${href} imports ${specifier}`);
      const exported = exportsOf(module);
      for (const name of names(list, false)) assert.ok(exported.has(name), `${href} imports ${name} of ${specifier}`);
      count += 1;
    }
  }
  assert.ok(count > 700, `${count} imports`);
});

test('each module that is loaded on demand is there', () => {
  let count = 0;
  for (const [href, text] of texts) {
    for (const [, specifier] of text.matchAll(/\bimport\('((?:\/apps|\.\.?)\/[^']+)'\)/g)) {
      assert.ok(existsSync(target(href, specifier)), `${href} loads ${specifier}`);
      count += 1;
    }
  }
  assert.ok(count > 10, `${count} modules`);
});

test('no modules import each other in a circle', () => {
  const imports = (href) =>
    [...texts.get(href).matchAll(/^(?:import|export)\b[^;]*? from '([^']+)'/gm)]
      .map(([, specifier]) => target(href, specifier).href)
      .filter((other) => texts.has(other));
  const isDone = new Set();
  const walk = (href, path) => {
    assert.ok(!path.includes(href), [...path.slice(path.indexOf(href)), href].join('\n'));
    if (isDone.has(href)) return;
    for (const other of imports(href)) walk(other, [...path, href]);
    isDone.add(href);
  };
  for (const href of texts.keys()) walk(href, []);
  assert.equal(isDone.size, texts.size);
});

test('a product takes what it shares with others from a shared folder', () => {
  // The tab "Park" shows spots among the car parks.
  const taken = new Set(['customer/park/park.js customer/spots/spots.js']);
  const path = (href) => href.slice(APPS.href.length);
  const product = (href) => /^\w+\/[\w-]+(?=\/)/.exec(path(href))?.[0];
  const found = [...texts].flatMap(([href, text]) =>
    [...text.matchAll(/^(?:import|export)\b[^;]*? from '([^']+)'/gm)]
      .map(([, specifier]) => target(href, specifier).href)
      .filter((other) => product(href) && product(other) && product(other) !== product(href))
      .filter((other) => !/^shared\/|\/shared\//.test(path(other)))
      .map((other) => `${path(href)} ${path(other)}`),
  );
  assert.deepEqual(new Set(found), taken);
});
