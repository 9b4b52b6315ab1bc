import type { StoreFormat } from '../../../sessions/adapter';
import { databaseFormat } from '../../opencode/format/adapter';

/** Kilo Code since its version 7, which is made from OpenCode. */
export const kilo: StoreFormat = databaseFormat({ agent: 'kilo', name: 'kilo' });
