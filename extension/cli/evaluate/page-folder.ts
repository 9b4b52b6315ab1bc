import { fileURLToPath } from 'node:url';

/** The dashboard's page is built beside the command line. */
export const pageFolder = fileURLToPath(new URL('../dashboard', import.meta.url));
