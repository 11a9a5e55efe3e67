// The form of the company: from its settings, and as the body of a change.

/** Texts that are left out while they are empty. */
const OPTIONAL = ['companyNumber', 'taxNumber', 'email', 'phone', 'website'];
const PREFIXES = ['receiptPrefix', 'creditNotePrefix', 'cancellationPrefix'];
const PAGES = ['terms', 'privacy'];

const isLink = (text) => /^https:\/\/\S+$/.test(text);

/** The fields of a version of the company; `timeZone` is proposed for the first one. */
export const draftOf = ({ company, ...version }, timeZone) => ({
  name: company.name ?? '',
  address: company.address.join('\n'),
  country: company.country ?? '',
  timeZone: company.timeZone ?? timeZone,
  ...Object.fromEntries(OPTIONAL.map((name) => [name, company[name] ?? ''])),
  ...Object.fromEntries(PAGES.map((name) => [name, company[name]?.link ?? company[name]?.text ?? ''])),
  ...Object.fromEntries(PREFIXES.map((name) => [name, version[name]])),
});

/** The form after the logo has changed: as it was if something in it is not saved, otherwise as the server has it. */
export const draftAfterLogo = ({ draft, settings }, newest, timeZone) =>
  JSON.stringify(draft) === JSON.stringify(draftOf(settings, timeZone)) ? draftOf(newest, timeZone) : draft;

/** A page is a link if its text is one. */
const pageOf = (text) => (isLink(text) ? { link: text } : { text });

/** The body of `PUT /v1/admin/company`. */
export const bodyOf = (draft) => {
  const text = (name) => draft[name].trim();
  return {
    name: text('name'),
    address: draft.address
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    country: text('country').toUpperCase(),
    timeZone: text('timeZone'),
    ...Object.fromEntries(OPTIONAL.filter(text).map((name) => [name, text(name)])),
    ...Object.fromEntries(PAGES.filter(text).map((name) => [name, pageOf(text(name))])),
    ...Object.fromEntries(PREFIXES.map((name) => [name, text(name)])),
  };
};

/** The company as a receipt shows it while it is edited. */
export const companyOf = (draft, { logoURL, version }) => {
  const body = bodyOf(draft);
  const absent = Object.fromEntries(OPTIONAL.map((name) => [name, null]));
  return { ...absent, ...body, version, logoURL };
};
