export { version as strataVersion } from '../../package.json';
