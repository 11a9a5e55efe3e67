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
