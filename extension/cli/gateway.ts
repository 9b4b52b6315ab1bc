import { join } from 'node:path';
import { conversationFolder } from '../conversations/shelves/conversation-folder';
import type { CompactingThreads } from '../conversations/threads/compacting-threads';
import { runsOf } from '../engine/journal/runs';
import { figuresOf } from '../engine/run/prepare/run-figures';
import { counted } from '../engine/wording/counts';
import type { ServedRequest } from '../gateway/app';
import { type Gateway, startGateway } from '../gateway/gateway';
import { agentInstructions, instructionsText } from '../gateway/instructions';
import { GatewayNotStarted } from '../gateway/server';
import type { AgentContext } from '../library/agent-context';
import { type Conversations, createConversations } from '../library/conversations';
import { openTelemetry } from '../library/opentelemetry';
import { visibleText } from '../protocol/visible-text';
import { CommandFailed } from './command-failed';
import { limitHeapGrowth } from './heap-growth';
import { aborted, interruptSignal } from './interrupt';
import { type SummarizerOptions, writingToolsFrom } from './models';
import { print, printJson } from './output';
import { parametersFrom, strategyNamed } from './parameters';
import { shortened } from './serve-log';
import { automationFrom, compactingThreads, type ServerOptions, upstreamsFrom, windowFrom } from './server-options';
import { exportTelemetry } from './telemetry-export';

interface GatewayOptions extends SummarizerOptions, ServerOptions {
  readonly folder: string;
  readonly set?: readonly string[];
  readonly keepOneOffs?: boolean;
  readonly durable?: boolean;
  readonly token?: string;
}

/** Runs until Ctrl+C. */
export async function gateway(options: GatewayOptions): Promise<void> {
  limitHeapGrowth();
  const interrupted = interruptSignal();
  const endExport = await exportTelemetry(process.env, tell);
  const threads = compactingThreads(tell);
  const conversations = await conversationsFor(options, threads);
  const running = await started(options, conversations);
  if (options.json) printJson(startAsJson(running, options));
  else print(startAsText(running, options));
  await aborted(interrupted);
  await running.close();
  threads.dispose();
  await endExport();
}

async function conversationsFor(options: GatewayOptions, threads: CompactingThreads): Promise<Conversations> {
  const { folder, keepOneOffs, durable: isDurable = false, set = [] } = options;
  const window = windowFrom(options);
  const choice = strategyNamed(options.strategy);
  const parameters = parametersFrom(set, choice);
  const { summarizer, model, embedder } = writingToolsFrom(options);
  return await createConversations({
    window,
    strategy: choice.name,
    parameters,
    summarizer,
    ...(model ? { model } : {}),
    embedder,
    automation: automationFrom(options),
    onSchedule: tell,
    threads,
    shelf: conversationFolder({ folder, cwd: null, madeBy: 'gateway', isDurable, onWarning: tell }),
    goesBack: true,
    keepsOneOffs: keepOneOffs ?? false,
    telemetry: openTelemetry(),
    onConversation: tellCompactions,
    onNotice: tell,
  });
}

async function started(options: GatewayOptions, conversations: Conversations): Promise<Gateway> {
  const { port } = options;
  const token = options.token || process.env.STRATA_GATEWAY_TOKEN;
  try {
    return await startGateway({
      keep: (request) => conversations.keep(request),
      windowOf: (model) => conversations.windowOf(model),
      notify: ({ message }) => tell(message),
      log: (passed) => tell(passedText(passed)),
      port,
      upstreams: upstreamsFrom(options),
      ...(token ? { token } : {}),
    });
  } catch (error) {
    if (error instanceof GatewayNotStarted) throw new CommandFailed(error.message, error.reason === 'options');
    throw error;
  }
}

function tell(message: string): void {
  process.stderr.write(`${visibleText(message)}\n`);
}

function passedText({ method, path, status, sent }: ServedRequest): string {
  const request = `${method} ${path} ${status}`;
  if (sent === null) return request;
  const blocks = sent.blocks === 0 ? '' : `, ${counted(sent.blocks, 'block')}`;
  return `${request} ${shortened(sent.model)}: ${sent.tokens} tokens${blocks}`;
}

/** Reports runs; those made by another process are reported with the next request. */
function tellCompactions(context: AgentContext): void {
  let reportedRuns = runsOf(context).length;
  context.subscribe((change) => {
    if (change !== 'journal') return;
    const runs = runsOf(context);
    for (const { strategies, size } of runs.slice(reportedRuns).map(figuresOf)) {
      tell(`Compacted with ${strategies.join(', ')}: ${size?.before ?? '?'} → ${size?.after ?? '?'} tokens`);
    }
    reportedRuns = runs.length;
  });
}

/** Output contract of docs/cli.md: fields may be added, but not renamed or removed. */
function startAsJson({ url, token }: Gateway, { folder }: GatewayOptions) {
  return { url, token, folder, agents: agentInstructions(url, token) };
}

function startAsText({ url, token }: Gateway, { folder, autoCompact }: GatewayOptions): string {
  return [
    `The gateway runs at ${url}. Configure agents to use it:`,
    '',
    instructionsText(url, token),
    '',
    `Conversations are kept in ${join(folder, 'conversations')}.`,
    ...(autoCompact ? [] : ['Automatic compaction is off.']),
    'Press Ctrl+C to stop.',
  ].join('\n');
}
