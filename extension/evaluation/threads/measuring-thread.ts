import { findStrategy } from '../../engine/run/prepare/registry';
import { serveOwner } from '../../platform/threads/serve-owner';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { measureSessions } from '../sessions/measure-sessions';
import { ownerByMessages } from '../sessions/replay-owner';
import type { MeasuringStart } from './measure-in-threads';
import type { WorkContract } from './messages';

/** Program of a thread that measures sessions of a replay until none is left. */
serveOwner<WorkContract<MeasuringStart, void>>({
  work: ({ strategies }, { signal, ask }) =>
    measureSessions(ownerByMessages(ask), {
      tools: toolsWithoutModel,
      strategies: strategies.flatMap((name) => findStrategy(name) ?? []),
      signal,
    }),
});
