import { relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { branchOf } from '../../../extension/engine/conversation/branch';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../../extension/engine/conversation/tokens';
import { agentBoundaries, simulatedBoundaries } from '../../../extension/evaluation/measure/replay/boundaries';
import { Copies, knownBoundary } from '../../../extension/evaluation/measure/replay/copies';
import { needsOf } from '../../../extension/evaluation/measure/replay/measure';
import { findSessions } from '../../../extension/evaluation/sessions/find-sessions';
import { openSession } from '../../../extension/sessions/open';
import { agentNames } from '../../../extension/sessions/session';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import type { FoundAt } from './found';
import { measurePeers } from './peers/measure-peers';
import { peerCells, peerSection } from './peers/peer-report';
import { scheduleReport } from './schedule/schedule-report';
import { scheduleSection } from './schedule/schedule-text';
import { type SessionCosts, sessionCostsOf } from './schedule/session-costs';
import { measureShadow } from './shadow/measure-shadow';
import { shadowCells } from './shadow/shadow-report';
import { shadowSection } from './shadow/shadow-text';
import { measureSizes } from './sizes/measure-sizes';
import { sizeCells, sizeSection } from './sizes/size-report';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node test/study/evidence/evidence.ts SESSIONS');

const ledger = new TokenLedger(countWithO200k);
const order = {
  ledger,
  tools: toolsWithoutModel,
  signal: new AbortController().signal,
  pause: () => setImmediate(),
};
// One simulated boundary for each session, as in the benchmark.
const copies = new Copies(1);
/** By boundary, so that the longer copy of a session replaces a shorter one. */
const found = new Map<string, FoundAt>();
const costs = new Map<string, SessionCosts>();

const { addresses, skipped } = await findSessions(resolve(folder));
for (const { file, reason } of skipped) console.error(`${file}: ${reason}`);
for (const [at, address] of addresses.entries()) {
  console.error(`${at + 1} of ${addresses.length}: ${address}`);
  await measure(address);
}
console.log(
  [
    ...scheduleSection(scheduleReport([...costs.values()])),
    ...sizeSection(sizeCells([...found.values()])),
    ...peerSection(peerCells([...found.values()])),
    ...shadowSection(shadowCells([...found.values()])),
  ].join('\n'),
);

async function measure(address: string): Promise<void> {
  const opened = await openSession(address);
  if (opened.kind !== 'opened') {
    console.error(String(opened.message));
    return;
  }
  const { agent, file, id, conversation, parent } = opened.session;
  // The session belongs to a subagent, which an agent led and not a person.
  if (parent) return;
  const project = relative(resolve(folder ?? ''), file).split(sep)[0] ?? file;
  const branch = branchOf(conversation);
  const boundaries = [...agentBoundaries(conversation).boundaries, ...simulatedBoundaries(conversation, ledger)].map(
    (boundary) => ({ boundary, ...knownBoundary(boundary, ledger) }),
  );
  const { session, keys } = copies.boundariesToMeasure({ agent, id: id || file, boundaries });
  const cost = sessionCostsOf(branch, { project, agent: agentNames[agent] });
  if (cost && cost.requests > (costs.get(session)?.requests ?? 0)) costs.set(session, cost);
  for (const { key, boundary } of boundaries.filter((each) => keys.includes(each.key))) {
    const needs = needsOf(boundary);
    found.set(key, {
      project,
      names: needs.names.length,
      messages: needs.messages.length,
      peers: await measurePeers(boundary, needs, order),
      shadow: await measureShadow(branch, boundary, order),
      sizes: await measureSizes(boundary, needs, order),
    });
  }
}
