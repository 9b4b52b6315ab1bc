import { describe, expect, it } from 'vitest';
import { isLimit, isRule, limitsIn } from '../../../extension/engine/language/demands';

const limits = [
  'Hands off the staging database.',
  'Take chunks of 500 rows at the very most.',
  'Leave the billing module alone.',
  'Never force-push.',
  "no, don't do it in one transaction",
  'No new packages.',
  'Only Priya runs migrations on production.',
  'Nothing goes live before June.',
  'test names stay exactly as they are',
  'a session lives 20 minutes at most',
  'source maps never go to the public network',
  'Any finding that is put off must get a ticket first.',
  'the argument must be a single path',
  'use the workmux skill',
  'review the plans with another model instead',
  'Answer in German.',
  "I don't want any padding.",
  "it's better not to store any names",
  'you can keep the changes on the current branch',
  'Can we make sure that each helper gets its instructions?',
  'Use TOML instead of YAML.',
];

const german = [
  'Finger weg von der Datenbank, die gehört dem anderen Team.',
  'Nimm höchstens 500 Zeilen auf einmal.',
  'Lass die Tests in Ruhe.',
  'Bitte keine neuen Abhängigkeiten.',
  'Ändere nie die öffentliche API.',
  'Die Migration darf nicht direkt auf dem Server laufen.',
  'Ab jetzt immer erst die Tests laufen lassen.',
  'Benutze TOML statt YAML.',
  'Schreib die Antwort auf Deutsch.',
];

const none = [
  'No remarks, so the schema is done.',
  'No changes.',
  'No config found, using defaults.',
  'Must it always be TOML?',
  'The tests never pass on Windows.',
  "'TableConfig' is defined but never used",
  "I don't understand the panel.",
  "don't change anything yet",
  'do not make any changes',
  'In theory we could delete it too, but for now I would keep him.',
  'I want you to add a button.',
  "no, I don't want you to add that",
  'The server should be running now.',
  "The build is red, so that must be fixed because we can't ship.",
  'what keys do you have to press to go on',
  'Find a way to upgrade so we don’t run into this again.',
  'Kein Test ist gelaufen.',
  'Das muss gefixt werden.',
  'Füge einen Knopf für den Export hinzu.',
  'Die Tests laufen nie durch.',
  'Noch nichts ändern, erkläre es nur.',
];

describe('what limits the work', () => {
  it.each([...limits, ...german])('is taken from “%s”', (sentence) => {
    expect(limitsIn(sentence)).toEqual([sentence]);
  });

  it.each(none)('is not taken from “%s”', (sentence) => {
    expect(isLimit(sentence)).toBe(false);
  });

  it.each(limits.slice(0, 6))('“%s” is a rule, also for later work', (sentence) => {
    expect(isRule(sentence)).toBe(true);
  });

  it('is the part of a message without capitals that limits it, and a clause behind a comma with what is before it', () => {
    expect(limitsIn('is it still right to say so? never rename the label')).toEqual(['never rename the label']);
    const reminder = "before you change anything, don't forget to switch to main";
    expect(limitsIn(reminder)).toEqual([reminder]);
  });
});
