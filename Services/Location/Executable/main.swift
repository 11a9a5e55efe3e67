import Location

await Location.program.run()
