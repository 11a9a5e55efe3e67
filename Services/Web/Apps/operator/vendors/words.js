// Texts and constants that several screens of vendors share.

import { t } from '/apps/shared/i18n.js';

export const VENDORS = '/v1/admin/vendors';
export const KINDS = ['foodMarket', 'soupKitchen', 'church', 'grocery', 'restaurant', 'other'];
export const STAMPS = ['yes', 'no', 'unknown'];
export const kindText = (kind) => t(`places.kind.${KINDS.includes(kind) ? kind : 'other'}`);
export const yesNo = (value) => t(value ? 'op.vendor.yes' : 'op.vendor.no');
