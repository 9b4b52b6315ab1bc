import { findStrategy } from '../../engine/run/prepare/registry';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { measureSessions } from '../sessions/measure-sessions';
import { ownerByMessages } from '../sessions/replay-owner';
import type { MeasuringStart } from './measure-in-threads';
import { workOnce } from './working-thread';

/** Program of a thread that measures sessions of a replay until none is left. */
void workOnce<MeasuringStart, void>(({ strategies }, { signal, ask }) =>
  measureSessions(ownerByMessages(ask), {
    tools: toolsWithoutModel,
    strategies: strategies.flatMap((name) => findStrategy(name) ?? []),
    signal,
  }),
);
