/* The minimum that a program can do with a session: read the file and parse its JSON. Its argument is the file. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const [file = ''] = process.argv.slice(2);
if (file.endsWith('.db')) {
  const database = new DatabaseSync(file, { readOnly: true });
  for (const table of ['message', 'part']) {
    for (const { data } of database.prepare(`SELECT data FROM ${table}`).all()) JSON.parse(String(data));
  }
} else if (file.endsWith('.jsonl')) {
  const text = readFileSync(file, 'utf8');
  for (let start = 0, end = text.indexOf('\n'); end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
    JSON.parse(text.slice(start, end));
  }
} else JSON.parse(readFileSync(file, 'utf8'));
