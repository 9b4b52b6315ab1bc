import { ModelFailed } from '../engine/block/language-model';
import { agentPlaces } from '../inside/places';
import { readSetup } from '../inside/service/setup';
import { type OpenedWriter, openWriter, type UsableWriter, type WrittenWriter } from '../inside/service/writer';
import { type WriterChoice, type WriterOffer, writerOffers } from '../inside/writers/offers';
import { rememberedWriter, rememberWriter } from '../inside/writers/remembered';
import type { WritingSize } from '../inside/writers/terms';
import { commandDefaults } from '../models/command/command-model';
import { installedPresets } from '../models/command/installed-presets';
import { commandNamed } from '../models/command/presets';
import { findLocalModels } from '../models/local-servers/local-servers';
import { openAiDefaults } from '../models/openai/client';
import { addressProblem } from '../models/openai/endpoint';
import { openAiAccess } from '../models/openai/environment';
import { processEnvironment } from '../platform/files/environment';
import type { AgentId } from '../sessions/session';
import { print, warn } from './output';
import { askLine } from './terminal';

const unanswered: WrittenWriter = { kind: 'unanswered' };

/** Who writes the blocks of a command that runs on a terminal. The person is asked once, and the answer is remembered. */
export async function writerOnTerminal(
  agents: readonly AgentId[],
  size: () => Promise<WritingSize | null>,
): Promise<OpenedWriter | null> {
  const remembered = await rememberedWriter(agentPlaces(processEnvironment()));
  const writer = remembered.kind === 'unanswered' ? await askAndRemember(agents, await size()) : remembered;
  return opened(writer);
}

/** Asks who writes, and remembers the answer. `before`: the previous answer, which stays if the person gives no other. */
async function askAndRemember(
  agents: readonly AgentId[],
  size: WritingSize | null,
  before: WrittenWriter = unanswered,
): Promise<WrittenWriter> {
  const answer = await askWriter(writerOffers(await foundWriters(agents), size), before);
  if (answer.kind !== 'unanswered') await rememberWriter(agentPlaces(processEnvironment()), answer);
  return answer;
}

/** Asks who writes, unless the editor has settings for it. */
export async function askAgain(agents: readonly AgentId[]): Promise<void> {
  const places = agentPlaces(processEnvironment());
  const setup = await readSetup(places.setup);
  if (setup !== null && setup.writer.kind !== 'unanswered') print('Who writes the summaries is set in VS Code.');
  else await askAndRemember(agents, null, await rememberedWriter(places));
}

/** Null if no model writes. Warns about a remembered model that cannot be used; the run continues without a model. */
function opened(writer: WrittenWriter): OpenedWriter | null {
  if (writer.kind === 'unanswered' || writer.kind === 'nobody') return null;
  if (writer.kind === 'editor') {
    warn(`${writer.message} Written without a model.`);
    return null;
  }
  try {
    return openWriter(writer);
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    warn(`${error.message} Written without a model.`);
    return null;
  }
}

async function foundWriters(agents: readonly AgentId[]) {
  const { baseUrl, model } = openAiAccess({}, process.env);
  const [commands, local] = await Promise.all([installedPresets(), findLocalModels()]);
  return { agents, commands, chats: [], server: model === '' ? null : { baseUrl, model }, local };
}

const heading = [
  'Who writes the summaries? This is asked once; `strata setup` asks again.',
  'In agents that Strata is set up in, the same model writes the next compaction ahead.',
];

/** One question with numbered answers. The default is the previous answer, or else the first one. */
async function askWriter(
  offers: readonly [WriterOffer, ...WriterOffer[]],
  before: WrittenWriter,
): Promise<WrittenWriter> {
  print([...heading, ...offers.map(offerText)].join('\n'));
  const chosen = before.kind === 'unanswered' ? '1' : `${nameOf(before)}, as before`;
  for (;;) {
    const line = await askLine(`1-${offers.length}, Enter for ${chosen}: `);
    if (line === null || (line === '' && before.kind !== 'unanswered')) return before;
    const offer = line === '' ? offers[0] : offers[Number(line) - 1];
    if (offer) return await writerOfChoice(offer.choice);
    print(`There is no answer "${line}".`);
  }
}

function nameOf(writer: WrittenWriter): string {
  switch (writer.kind) {
    case 'command':
      return commandNamed(writer.agent, writer.line).name;
    case 'openai':
      return writer.model;
    default:
      return 'no model';
  }
}

function offerText({ label, costs, goes }: WriterOffer, at: number): string {
  return [`  ${at + 1}  ${label}`, `     ${costs}`, `     ${goes}`].join('\n');
}

async function writerOfChoice(choice: WriterChoice): Promise<WrittenWriter> {
  switch (choice.kind) {
    case 'command':
      return byCommand(choice.command.id);
    case 'server':
      return byServer(choice.baseUrl, choice.model, choice.contextWindow ?? 0);
    case 'other-server':
      return await askServer();
    case 'none':
      return { kind: 'nobody' };
    case 'vscode':
      throw new Error('Only the editor can ask its language models.');
  }
}

/** The key is not asked for: it comes from the environment. */
async function askServer(): Promise<WrittenWriter> {
  for (;;) {
    const address = await askLine('Base URL, with /v1: ');
    if (address === null || address === '') return unanswered;
    const problem = addressProblem(address);
    if (problem !== null) {
      print(String(problem));
      continue;
    }
    const model = await askLine('Model: ');
    if (model === null || model === '') return unanswered;
    print('A key is read from STRATA_OPENAI_API_KEY.');
    return byServer(address, model, 0);
  }
}

function byCommand(agent: string): UsableWriter {
  return { kind: 'command', agent, line: [], model: '', timeoutMs: commandDefaults.timeoutMs, contextWindow: 0 };
}

function byServer(baseUrl: string, model: string, contextWindow: number): UsableWriter {
  return { kind: 'openai', baseUrl, model, timeoutMs: openAiDefaults.timeoutMs, contextWindow };
}
