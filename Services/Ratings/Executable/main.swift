import Ratings

await Ratings.program.run()
