print("timeclock")
