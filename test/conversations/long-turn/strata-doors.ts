import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { startRunning } from '../../gateway/running';
import { constraint } from '../../middleware/frameworks/window-model';
import { type LongTurnDoor, libraryDoors, throughGateway } from './doors';
import { throughParticipant, throughStrataModel } from './editor-doors';
import { window } from './model';

/** All entry points of Strata. */
export const strataDoors: readonly LongTurnDoor[] = [
  ...libraryDoors,
  {
    name: 'gateway',
    run: async ({ address }) => {
      const folder = await mkdtemp(join(tmpdir(), 'strata-long-turn-'));
      const pins = [{ kind: 'constraint', text: constraint } as const];
      const options = { window, countTokens: countWithO200k, pins };
      const gateway = await startRunning({ upstream: address, folder }, options);
      await throughGateway(`${gateway.address}/openai/v1`);
    },
  },
  { name: '`@strata`', run: ({ model }) => throughParticipant(model) },
  { name: 'Strata model', run: ({ model }) => throughStrataModel(model) },
];
