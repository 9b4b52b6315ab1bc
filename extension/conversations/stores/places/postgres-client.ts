/** What stores need of `pg`. The editor loads the copy of the command line, so that the extension has it once. */
export { Pool } from 'pg';
