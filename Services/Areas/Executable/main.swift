import Areas

await Areas.program.run()
