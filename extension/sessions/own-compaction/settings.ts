import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { localizable } from '../../engine/wording/localizable-text';
import type { AgentEnvironment } from '../../platform/files/environment';
import { orIfUnreadable, systemErrorCode } from '../../platform/files/with-file';
import { isRecord, type JsonRecord } from '../../platform/json/schemas';
import { adapterOf } from '../adapters';
import type { Session, SessionIssue } from '../session';
import type { SettingsFile } from './own-compaction';

interface AgentSettings {
  /** Those that exist and can be read, the weakest first. */
  readonly files: readonly SettingsFile[];
  /** Files that exist and cannot be read. */
  readonly issues: readonly SessionIssue[];
}

type SessionPlace = Pick<Session, 'agent' | 'cwd'>;

/** The paths at which an agent may say when it compacts this session by itself. */
export function settingsFilesOf({ agent, cwd }: SessionPlace, environment: AgentEnvironment): readonly string[] {
  const folder = cwd !== null && isAbsolute(cwd) ? cwd : null;
  return adapterOf(agent).ownCompaction?.settingsFiles({ ...environment, cwd: folder }) ?? [];
}

/** Reads them. Never rejects because of what is in them. */
export async function readAgentSettings(place: SessionPlace, environment: AgentEnvironment): Promise<AgentSettings> {
  const files: SettingsFile[] = [];
  const issues: SessionIssue[] = [];
  for (const file of settingsFilesOf(place, environment)) {
    const content = await contentOf(file);
    if (isRecord(content)) files.push({ file, content, modified: await modifiedAt(file) });
    else if (content !== null)
      issues.push({ file, line: 0, message: localizable('{0} was not read ({1})', file, content) });
  }
  return { files, issues };
}

/** 0 if the file has gone. */
async function modifiedAt(file: string): Promise<number> {
  return (await orIfUnreadable(stat(file), null))?.mtimeMs ?? 0;
}

/** The content; null if there is no such file; a text that says why it cannot be read. */
async function contentOf(file: string): Promise<JsonRecord | string | null> {
  try {
    const content = contentIn(file, await readFile(file, 'utf8'));
    return isRecord(content) ? content : 'no object';
  } catch (error) {
    if (error instanceof TomlError || error instanceof SyntaxError) return error.message;
    const code = systemErrorCode(error);
    if (code === null) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : code;
  }
}

function contentIn(file: string, text: string): unknown {
  if (file.endsWith('.toml')) return parseToml(text);
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const content: unknown = parseJson(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw new SyntaxError(printParseErrorCode(first.error));
  return content;
}
