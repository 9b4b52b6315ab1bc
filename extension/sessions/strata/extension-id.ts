import { name, publisher } from '../../../package.json';

/** The extension's id in the lower case of its storage folder. */
export const extensionId = `${publisher}.${name}`.toLowerCase();
