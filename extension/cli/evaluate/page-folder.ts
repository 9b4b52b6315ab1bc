import { fileURLToPath } from 'node:url';

/** The build puts the dashboard's page next to the command line's bundle. */
export const pageFolder = fileURLToPath(new URL('../dashboard', import.meta.url));
