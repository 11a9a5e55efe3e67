import Places

await Places.program.run()
