// What a Node server does with a directory of skills before it can list them:
// discover.mjs DIR prints how many entries and files that made.
import { buildSkillEntry, discoverSkills } from "@olaservo/ext-skills/server";

const skills = discoverSkills(process.argv[2]);
let entries = 0;
let files = 0;
for (const skill of skills.values()) {
  const entry = buildSkillEntry(skill);
  entries++;
  files += entry.resources.length;
}
console.log(`${entries} entries, ${files} files`);
