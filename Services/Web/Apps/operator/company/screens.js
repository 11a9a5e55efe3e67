// The screens of the company and its taxes, which are loaded together.

export { companyScreen } from './company.js';
export { taxesScreen } from './taxes.js';
