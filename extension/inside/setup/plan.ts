import type { AgentId } from '../../sessions/session';
import type { ConfigurationEdit } from './agent-setup';
import { withEdits, withoutEdits } from './change';
import { bytesOf, removeEmpty, writeWhole } from './files';
import { type Installed, type InstalledFile, readInstalled, writeInstalled } from './installed';

/** One file as it is and as it will be; null: the file does not exist. */
export interface PlannedFile {
  readonly file: string;
  readonly current: Buffer | null;
  readonly planned: Buffer | null;
}

/** The changes by which one agent is set up, or by which its setup is removed. A plan changes nothing by itself. */
export interface SetupPlan {
  readonly agent: AgentId;
  readonly files: readonly PlannedFile[];
  /** The recorded files afterwards; empty after a removal. */
  readonly installed: readonly InstalledFile[];
  /** Folders that a removal may leave empty, outermost first. */
  readonly folders: readonly string[];
}

/** Throws `OperationRefused` for a file that cannot be read, or has an entry that Strata did not write. */
export async function planSetup(
  agent: AgentId,
  edits: readonly ConfigurationEdit[],
  installed: Installed,
): Promise<SetupPlan> {
  const earlier = installed[agent] ?? [];
  const files = Map.groupBy(edits, ({ file }) => file);
  const left = earlier.filter(({ file }) => !files.has(file));
  const removed = await Promise.all(left.map(plannedRemoval));
  const written: { file: PlannedFile; record: InstalledFile }[] = [];
  for (const [file, ofFile] of files) {
    written.push(
      await plannedEdit(
        file,
        ofFile,
        earlier.find((each) => each.file === file),
      ),
    );
  }
  return {
    agent,
    files: [...removed, ...written.map((each) => each.file)].filter(isChange),
    installed: written.map(({ record }) => record),
    folders: left.flatMap(({ folders }) => folders),
  };
}

/** Restores each file to its content before the setup. If a file was changed since, only Strata's additions are removed. */
export async function planRemoval(agent: AgentId, installed: Installed): Promise<SetupPlan> {
  const earlier = installed[agent] ?? [];
  const files = await Promise.all(earlier.map(plannedRemoval));
  return { agent, files: files.filter(isChange), installed: [], folders: earlier.flatMap(({ folders }) => folders) };
}

async function plannedEdit(file: string, edits: readonly ConfigurationEdit[], earlier: InstalledFile | undefined) {
  const current = await bytesOf(file);
  const before = earlier ? (await plannedRemoval(earlier)).planned : current;
  const planned = Buffer.from(withEdits(before?.toString('utf8') ?? '', edits));
  const record: InstalledFile = {
    ...{ file, edits, folders: earlier?.folders ?? [] },
    before: before?.toString('base64') ?? null,
    after: planned.toString('base64'),
  };
  return { file: { file, current, planned }, record };
}

async function plannedRemoval({ file, before, after, edits }: InstalledFile): Promise<PlannedFile> {
  const current = await bytesOf(file);
  const original = before === null ? null : Buffer.from(before, 'base64');
  const written = Buffer.from(after, 'base64');
  if (current === null) return { file, current, planned: null };
  if (current.equals(written)) return { file, current, planned: original };
  const change = { before: original?.toString('utf8') ?? '', after: written.toString('utf8') };
  const text = withoutEdits(current.toString('utf8'), edits, change);
  return { file, current, planned: original === null && isEmpty(text) ? null : Buffer.from(text) };
}

/** Whether nothing is left but the text with which the setup began the file. */
function isEmpty(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text);
}

function isChange({ current, planned }: PlannedFile): boolean {
  return current === null || planned === null ? current !== planned : !current.equals(planned);
}

/** Carries out a plan and records it at `path`. If one file cannot be written, the files before it are restored. */
export async function carryOut(plan: SetupPlan, path: string): Promise<void> {
  const { agent, files, installed, folders } = plan;
  const created = new Map<string, readonly string[]>();
  try {
    for (const { file, planned } of files) created.set(file, await writeWhole(file, planned));
    const records = installed.map((each) => ({
      ...each,
      folders: [...each.folders, ...(created.get(each.file) ?? [])],
    }));
    const { [agent]: _, ...others } = await readInstalled(path);
    await writeInstalled(path, records.length === 0 ? others : { ...others, [agent]: records });
  } catch (error) {
    for (const { file, current } of files.filter((each) => created.has(each.file))) await writeWhole(file, current);
    await removeEmpty([...created.values()].flat());
    throw error;
  }
  await removeEmpty(folders);
}
