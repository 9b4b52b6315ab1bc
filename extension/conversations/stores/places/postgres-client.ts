/**
 * The parts of `pg` that stores use. The editor loads the copy of the command line, so that the extension has it once.
 */
export { Pool } from 'pg';
