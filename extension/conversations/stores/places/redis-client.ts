/**
 * The parts of `redis` that stores use. The editor loads the copy of the command line, so that the extension has it
 * once.
 */
export { createClient } from 'redis';
